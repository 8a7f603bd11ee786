// Collapses iterations: replaces all events of an iteration that is not kept by a single call.
// Collapse says which iterations of which locations collapse, and which kept iteration stands for
// each. CollapsedEvents does it in the clean events of one location.
//
// The call lasts from the first to the last time of the iteration, at the depth of its calls, even
// if the iteration has only other records. Messages and other records of the iteration are left
// out, except for what is still true afterwards: the last value of each metric, or the sum of
// increments; whether measurement is on; tasks that the iteration creates without completing, or
// completes without creating; handles of files, communicators and windows. Kept iterations are
// complete. An iteration has one such call: where a call around it ends in its midst, which happens
// with the iterations of another location, what comes behind that is left out.
//
// In a location with calling contexts, the call is such a context, too: a child of the context of
// the iteration. So the contexts that follow still tell which calls continue and which have ended.
//
// Source: docs/design.md, the rule "collapsed iterations"; dynamics 4.1 for what stands for an
// iteration.
#pragma once

#include "base/packed_values.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/events/calling_contexts.hpp"
#include "pipeline/events/clean_event_receiver.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/iteration_cursor.hpp"
#include "pipeline/events/unwind_distances.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;

// A region that stands for iterations, as a calling context.
struct CollapsedContext {
  std::uint32_t which = 0;                                    // index into Collapse::names()
  std::uint64_t caller = undefined_id(Ref::calling_context);  // undefined: none

  auto operator<=>(const CollapsedContext&) const = default;
};

auto list_members(Like<CollapsedContext> auto& context) {
  return std::tie(context.which, context.caller);
}

// A call that stands for an iteration, by Enter and Leave or by records of a calling context.
struct CollapsedCall {
  CollapsedContext context;  // without a caller if it is not a context
  bool is_context = false;
  std::uint64_t unwind_distance = 0;  // of its CallingContextEnter
};

// What the last record of a metric takes over from the one before, for one member: nothing; its
// value if the own one is infinite or NaN (last_number); or its value, added to the own one (sum).
enum class MetricCarry : std::uint8_t { none, last_number, sum };

// Immutable, thread-safe. Plan and functions must outlive it.
class Collapse {
 public:
  static constexpr std::uint32_t kept = 0xffffffff;  // the iteration is kept

  explicit Collapse(const Plan& plan);
  Collapse(const Plan& plan, const Definitions& definitions, const FunctionTable& functions);

  bool any() const { return !names_.empty(); }
  // The names of the regions that stand for iterations.
  const std::vector<std::string>& names() const { return names_; }
  // The loops of a location whose iterations collapse; null if it stays whole.
  const ProcessLoops* find_collapsed_loops(std::uint64_t location) const;
  // By iteration, over all loops: index into names(), or `kept`.
  const std::vector<std::uint32_t>& names_by_iteration() const { return names_by_iteration_; }

  // Takes over earlier values of a metric: adds them for members that record increments, and puts
  // them in place of infinite values and NaN of counters.
  void carry_metric(Event& metric, const Event& earlier) const;

  bool has_contexts() const { return functions_ && !functions_->contexts().empty(); }
  const CallingContexts& contexts() const { return functions_->contexts(); }
  // The context of the first `calls` calls on the path of `context`, without those that filters
  // drop.
  std::uint64_t find_caller(std::uint64_t context, std::size_t calls) const;
  // Whether filters drop calls of a context, or it is undefined.
  bool is_dropped(std::uint64_t context) const {
    return functions_->find(contexts().find_region(context)).is_dropped();
  }

 private:
  const FunctionTable* functions_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> names_by_iteration_;
  std::unordered_map<std::uint64_t, const ProcessLoops*> loops_;
  // By metric and member, without metrics that take over nothing.
  std::unordered_map<std::uint64_t, std::vector<MetricCarry>> carries_;
};

// Whether records of this kind are about something that is still true behind their iteration:
// handles of files, communicators and windows that are made or destroyed, tasks that are created or
// completed, values of metrics, whether measurement is on.
bool outlasts_iterations(EventKind kind);

// The records that outlast one collapsed iteration, as far as later records depend on them.
class HeldRecords {
 public:
  explicit HeldRecords(const Collapse& collapse) : collapse_(collapse) {}

  // Adds a record; calls left_out(Event&) for records that are no longer needed.
  template <class LeftOut>
  void add(const Event& event, LeftOut&& left_out) {
    const auto key = make_key(event);
    const auto known = records_.find(key);
    if (known == records_.end()) {
      records_.emplace(key, Record{next_++, event});
      return;
    }

    auto earlier = std::move(known->second.event);
    if (completes_task(event.kind)) {
      auto completion = event;
      records_.erase(known);
      left_out(earlier);
      left_out(completion);
      return;
    }

    known->second = {next_++, event};
    if (event.kind == EventKind::Metric)
      collapse_.carry_metric(known->second.event, earlier);
    left_out(earlier);
  }
  // The remaining records, in the order in which they were added.
  std::vector<Event> take();

 private:
  // What a record is about. Of records with equal keys, one is held.
  struct Key {
    EventKind kind{};
    std::array<std::uint64_t, 3> ids{};

    auto operator<=>(const Key&) const = default;
  };
  struct Record {
    std::uint64_t number = 0;
    Event event;
  };
  static bool completes_task(EventKind kind) {
    return kind == EventKind::OmpTaskComplete || kind == EventKind::ThreadTaskComplete;
  }
  Key make_key(const Event& event) const;

  const Collapse& collapse_;
  std::map<Key, Record> records_;
  std::uint64_t next_ = 0;
};

// Next receives clean events, and:
//   void left_out(Event&);  // a record other than a call, in a collapsed iteration
//   void collapsed_call(EventKind, time, const CollapsedCall&);  // Enter or Leave
template <class Next>
class CollapsedEvents {
 public:
  static constexpr bool is_hot = HotSink<Next>;
  static constexpr bool keeps_order = true;  // see OrderedSink

  CollapsedEvents(const Collapse& collapse, const ProcessLoops& loops, Next& next)
      : collapse_(collapse),
        names_by_iteration_(collapse.names_by_iteration()),
        cursor_(loops),
        next_(next),
        held_(collapse) {
    if (collapse.has_contexts())
      contexts_.emplace(collapse.contexts());
  }

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.enter(call);
    if (is_left_out(iteration)) [[likely]]
      last_ = call.time;
    else
      begin_call(call, iteration, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.leave(call);
    if (is_left_out(iteration)) [[likely]]
      last_ = call.time;
    else
      end_call(call, iteration, attributes);
  }
  void other(Event& event) {
    const auto iteration =
        leaves_caller(event) ? IterationCursor::outside : cursor_.other(event.time);
    go_to(iteration);
    last_ = event.time;

    const bool outlasts = outlasts_iterations(event.kind);
    if (!collapses(iteration) || (outlasts && !open_)) {
      if (contexts_) [[unlikely]]
        contexts_->keep(event);
      next_.other(event);
      return;
    }

    if (outlasts) {
      held_.add(event, [&](Event& record) { next_.left_out(record); });
      return;
    }

    if (contexts_) [[unlikely]]
      contexts_->see(event);
    if (!open_ && iteration != done_)
      begin(event.time);
    if (contexts_) [[unlikely]]
      contexts_->leave_out(event);
    next_.left_out(event);
  }
  void unknown(std::uint64_t time) { next_.unknown(time); }
  // Call once, after the last event.
  void finish() { end(); }

 private:
  // In a call that stands for an iteration, only times of calls matter.
  bool is_left_out(std::size_t iteration) const {
    return open_ && iteration == iteration_ && !contexts_;
  }
  // Both copy the call, so that it stays in registers when they are not called.
  [[gnu::noinline]] void begin_call(CallBegin call, std::size_t iteration,
                                    std::span<const Attribute> attributes) {
    go_to(iteration);
    if (contexts_) [[unlikely]]
      contexts_->see(call);

    if (collapses(iteration)) {
      if (!open_ && iteration != done_)
        begin(call.time);
    } else if (call.is_recorded) {
      next_.enter(call, attributes);
    }

    if (contexts_) [[unlikely]]
      contexts_->open += !call.is_recorded;
    last_ = call.time;
  }
  [[gnu::noinline]] void end_call(CallEnd call, std::size_t iteration,
                                  std::span<const Attribute> attributes) {
    go_to(iteration);
    if (!collapses(iteration) && call.is_recorded)
      next_.leave(call, attributes);
    if (contexts_) [[unlikely]]
      contexts_->open -= !call.is_recorded;
    last_ = call.time;
  }
  bool collapses(std::size_t iteration) const {
    return iteration != IterationCursor::outside &&
           names_by_iteration_[iteration] != Collapse::kept;
  }
  void go_to(std::size_t iteration) {
    if (iteration == iteration_)
      return;
    end();
    iteration_ = iteration;
  }
  void begin(std::uint64_t time) {
    open_ = true;
    call_ = {{names_by_iteration_[iteration_]}, contexts_ && contexts_->by_context};
    if (call_.is_context)
      contexts_->begin(time);
    else
      next_.collapsed_call(EventKind::Enter, time, call_);
  }
  void end() {
    if (!open_)
      return;
    open_ = false;
    done_ = iteration_;
    // Only now the context of the iteration is known.
    if (call_.is_context)
      next_.collapsed_call(EventKind::Enter, contexts_->end(collapse_, call_), call_);
    for (auto& event : held_.take())
      next_.other(event);
    next_.collapsed_call(EventKind::Leave, last_, call_);
  }

  // Whether a record ends the call around the iterations.
  bool leaves_caller(const Event& event) const {
    using enum EventKind;
    return event.kind == CallingContextLeave && cursor_.in_loop() &&
           cursor_.open_calls() <= cursor_.base() &&
           !collapse_.is_dropped(get_field<"callingContext", CallingContextLeave>(event));
  }

  // What is tracked in a location of a trace with calling contexts.
  struct Contexts {
    explicit Contexts(const CallingContexts& contexts) : distances(contexts) {}

    void see(const CallBegin& call) {
      by_context = !call.is_recorded;
      is_known = true;
    }
    // A record, before it is kept or left out.
    void see(const Event& event) {
      if (!is_known && UnwindDistances::is_of_context(event.kind))
        by_context = is_known = true;
    }
    void keep(Event& event) {
      see(event);
      if (UnwindDistances::is_of_context(event.kind))
        last = find_context(event);
      distances.mend(event);
    }
    void leave_out(const Event& event) {
      if (UnwindDistances::is_of_context(event.kind)) {
        last = find_context(event);
        if (is_first)
          first = last;
        is_first = false;
      }
      distances.leave_out(event);
    }
    void begin(std::uint64_t time) {
      begun = time;
      around = open;
      first = last;
      is_first = true;
      distances.begin_collapsed();
    }
    // Sets the caller of the stand-in; returns when it began.
    std::uint64_t end(const Collapse& collapse, CollapsedCall& call) {
      is_first = false;
      call.context.caller = collapse.find_caller(first, around);
      call.unwind_distance =
          distances.end_collapsed(collapse.contexts().find_depth(call.context.caller));
      return begun;
    }

    static std::uint64_t find_context(const Event& event) {
      using enum EventKind;
      return get_field<"callingContext", CallingContextEnter, CallingContextLeave,
                       CallingContextSample>(event);
    }

    UnwindDistances distances;
    // Whether the last call came from a calling context. Before the first call, samples decide.
    bool by_context = false;
    bool is_known = false;
    std::size_t open = 0;    // calls that contexts told
    std::size_t around = 0;  // those around the iteration
    // The contexts of the last record, and of the first record in the iteration, or the one before.
    std::uint64_t last = undefined_id(Ref::calling_context), first = last;
    bool is_first = false;
    std::uint64_t begun = 0;
  };

  const Collapse& collapse_;
  const std::vector<std::uint32_t>& names_by_iteration_;
  IterationCursor cursor_;
  Next& next_;
  std::size_t iteration_ = IterationCursor::outside;
  bool open_ = false;                            // a stand-in is open
  std::size_t done_ = IterationCursor::outside;  // the last iteration that a stand-in was made for
  std::uint64_t last_ = 0;
  CollapsedCall call_;
  HeldRecords held_;
  std::optional<Contexts> contexts_;
};

}  // namespace tracefold
