// Filters the clean events of a location in the halo: only the records that stay are passed on, and
// the MPI calls around them.
//
// If calls are recorded as calling contexts, so are these: the context tells which calls led to the
// MPI call.
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

// A sink for calls, as for clean events, and for other records in two steps: keep() says whether a
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
  // `is_mpi` says for each function whether it is MPI's. All arguments must outlive this object.
  HaloCalls(const FunctionTable& functions, const std::vector<bool>& is_mpi, Next& next)
      : functions_(functions), is_mpi_(is_mpi), next_(next), distances_(functions.contexts()) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    if (is_mpi_[call.function])
      open_.push_back({call, {attributes.begin(), attributes.end()}, std::nullopt});
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    if (!is_mpi_[call.function])
      return;

    // Calls nest, except those of contexts that are never left.
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

  // Times of the first and the last record that stays, in ticks; 0 if none does.
  std::uint64_t first_time() const { return first_; }
  std::uint64_t last_time() const { return last_; }

 private:
  struct OpenCall {
    CallBegin call;
    std::vector<Attribute> attributes;
    std::optional<Event> context;  // the record of the call, if it is no Enter
  };

  // Ends the innermost open call; true if it stays.
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
        event.kind != CallingContextSample && !found.is_dropped() && is_mpi_[found.function];

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
  std::size_t entered_ = 0;     // how many of them were passed on
  bool has_any_ = false;
  std::uint64_t first_ = 0, last_ = 0;
};

}  // namespace tracefold
