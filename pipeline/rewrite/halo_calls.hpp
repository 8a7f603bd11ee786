// The events of a location in the halo: of its clean events the records that stay, and the calls of
// MPI in which these are. Everything else is left out.
//
// Where calls are told by records of calling contexts, so are these: a context says by which calls
// the one of MPI was called.
//
// One location, one thread.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include "pipeline/events/clean_events.hpp"
#include "pipeline/iterations/collapse.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// What takes calls as clean events are, and other records in two steps: keep() says whether a
// record stays, and may give it new ranks; put() takes it.
template <class Sink>
concept HaloSink = requires(Sink& sink, const CallBegin& begin, const CallEnd& end,
                            std::span<const Attribute> attributes, Event& event) {
  sink.enter(begin, attributes);
  sink.leave(end, attributes);
  { sink.keep(event) } -> std::same_as<bool>;
  sink.put(event);
};

template <HaloSink Next>
class HaloCalls {
 public:
  // `is_mpi` tells for each function whether it is MPI's. All arguments have to stay.
  HaloCalls(const FunctionTable& functions, const std::vector<bool>& is_mpi, Next& next)
      : functions_(functions), is_mpi_(is_mpi), next_(next), distances_(functions.contexts()) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    if (is_mpi_[call.function])
      open_.push_back({call, {attributes.begin(), attributes.end()}, std::nullopt});
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    if (!is_mpi_[call.function])
      return;

    // Calls nest, but for those of contexts that are never left.
    while (open_.back().context)
      close();
    if (close()) {
      note(call.time);
      next_.leave(call, attributes);
    }
  }
  void other(Event& event) {
    if (UnwindDistances::is_of_context(event.kind)) {
      follow_context(event);
      return;
    }
    if (!next_.keep(event))
      return;

    for (; entered_ < open_.size(); ++entered_)
      put_enter(open_[entered_]);
    note(event.time);
    next_.put(event);
  }
  void unknown(std::uint64_t) {}

  // Ticks of what stays; both 0 where nothing does.
  std::uint64_t first_time() const { return first_; }
  std::uint64_t last_time() const { return last_; }

 private:
  struct OpenCall {
    CallBegin call;
    std::vector<Attribute> attributes;
    std::optional<Event> context;  // the record that tells the call, where it is no Enter
  };

  // Ends the innermost open call; true where it stays.
  bool close() {
    open_.pop_back();
    if (entered_ <= open_.size())
      return false;
    entered_ = open_.size();
    return true;
  }
  void follow_context(Event& event) {
    using enum EventKind;
    const auto context =
        get_field<"callingContext", CallingContextEnter, CallingContextLeave, CallingContextSample>(
            event);
    const auto found = functions_.find(functions_.contexts().find_region(context));
    const bool is_call =
        event.kind != CallingContextSample && !found.dropped && is_mpi_[found.function];

    if (is_call && event.kind == CallingContextEnter) {
      open_.push_back({{}, {}, event});
      return;
    }
    const bool stays = is_call && !open_.empty() && open_.back().context && close();
    if (stays)
      put_context(event);
    else
      distances_.leave_out(event);
  }
  void put_enter(const OpenCall& open) {
    if (open.context) {
      auto event = *open.context;
      put_context(event);
    } else {
      note(open.call.time);
      next_.enter(open.call, open.attributes);
    }
  }
  void put_context(Event& event) {
    distances_.mend(event);
    note(event.time);
    next_.put(event);
  }
  // Times ascend.
  void note(std::uint64_t time) {
    if (!std::exchange(has_any_, true))
      first_ = time;
    last_ = time;
  }

  const FunctionTable& functions_;
  const std::vector<bool>& is_mpi_;
  Next& next_;
  UnwindDistances distances_;
  std::vector<OpenCall> open_;  // of MPI, outermost first
  std::size_t entered_ = 0;     // so many of them were handed on
  bool has_any_ = false;
  std::uint64_t first_ = 0, last_ = 0;
};

}  // namespace tracefold
