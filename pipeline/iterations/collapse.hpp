// Which iterations of which locations are collapsed, and what stands for them; and a
// sink that collapses them in the clean events of one location.
//
// A collapsed iteration becomes one call, from its first to its last time stamp, at the
// depth of its calls, also where it holds no calls but other records. Messages and other records
// of its own are left out. What is still true behind it stays: of each metric the last value, of
// relative ones the sum of all increments; whether measurement is on; tasks that it creates and
// does not complete, or completes and did not create; handles, communicators and windows. Kept
// iterations are complete.
//
// Source: DESIGN's rule 7 of rewriting; dynamics 4.1 for what stands for an iteration.
#pragma once

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/events/calling_contexts.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/iteration_cursor.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

// Immutable once made; any thread may ask. The plan must stay.
class Collapse {
 public:
  static constexpr std::uint32_t kept = 0xffffffff;  // the iteration stays

  explicit Collapse(const Plan& plan);
  Collapse(const Plan& plan, const Definitions& definitions);

  bool any() const { return !names_.empty(); }
  // Of the regions that stand for iterations.
  const std::vector<std::string>& names() const { return names_; }
  // The loops of a location whose iterations collapse; null where it stays whole.
  const ProcessLoops* find_loops(std::uint64_t location) const;
  // By iteration, through all loops: the stand-in's place in names(), or `kept`.
  const std::vector<std::uint32_t>& stand_ins() const { return stand_ins_; }

  // Adds the earlier values of a metric to those of its members that record increments.
  void add_increments(Event& metric, const Event& earlier) const;
  const CallingContexts& contexts() const { return contexts_; }

 private:
  CallingContexts contexts_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> stand_ins_;
  std::unordered_map<std::uint64_t, const ProcessLoops*> loops_;
  // By metric, for each of its members whether it records increments; without metrics of which none
  // does.
  std::unordered_map<std::uint64_t, std::vector<bool>> relative_members_;
};

// Records of what is still true behind the iteration that they are in: handles of files,
// communicators and windows that are made or unmade, tasks that are created or completed, the last
// values of metrics, whether measurement is on.
bool outlasts_iterations(EventKind kind);

// The records that outlast one collapsed iteration, as far as what follows depends on them.
class HeldRecords {
 public:
  explicit HeldRecords(const Collapse& collapse) : collapse_(collapse) {}

  // Takes a record; calls left_out(Event&) for those that are not needed any more.
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
      collapse_.add_increments(known->second.event, earlier);
    left_out(earlier);
  }
  // The records that are left, in the order in which they were added.
  std::vector<Event> take();

 private:
  // What a record is about. Of those that are about the same, one is held.
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

// Records of calling contexts say how many calls are new since the record before. Where that was
// left out, they are to say it since the last one that is there.
class UnwindDistances {
 public:
  explicit UnwindDistances(const CallingContexts& contexts) : contexts_(contexts) {}

  void leave_out(const Event& event) {
    if (is_of_context(event.kind))
      kept_ = std::min(kept_, count_kept(event));
  }
  void mend(Event& event) {
    if (kept_ == all || !is_of_context(event.kind))
      return;
    if (event.kind != EventKind::CallingContextLeave)
      set_kept(event, std::min(kept_, count_kept(event)));
    kept_ = all;
  }

  static bool is_of_context(EventKind kind) {
    return kind >= EventKind::CallingContextEnter && kind <= EventKind::CallingContextSample;
  }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};

  // How many calls of its path were open at the record before, and still are.
  std::uint64_t count_kept(const Event& event) const;
  void set_kept(Event& event, std::uint64_t kept) const;

  const CallingContexts& contexts_;
  std::uint64_t kept_ = all;  // through all records that were left out
};

// Next takes clean events, and besides:
//   void left_out(Event&);                        // a record in a collapsed iteration that is no
//   call void stand_in(EventKind, time, stand-in);     // Enter or Leave
template <class Next>
class CollapsedEvents {
 public:
  CollapsedEvents(const Collapse& collapse, const ProcessLoops& loops, Next& next)
      : stand_ins_(collapse.stand_ins()),
        cursor_(loops),
        next_(next),
        held_(collapse),
        distances_(collapse.contexts()) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.enter(call);
    go_to(iteration);
    if (collapses(iteration)) {
      if (!open_)
        begin(call.time);
    } else if (call.is_recorded) {
      next_.enter(call, attributes);
    }

    last_ = call.time;
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.leave(call);
    go_to(iteration);
    if (!collapses(iteration) && call.is_recorded)
      next_.leave(call, attributes);
    last_ = call.time;
  }
  void other(Event& event) {
    const auto iteration = cursor_.other(event.time);
    go_to(iteration);
    last_ = event.time;

    const bool outlasts = outlasts_iterations(event.kind);
    if (!collapses(iteration) || (outlasts && !open_)) {
      distances_.mend(event);
      next_.other(event);
      return;
    }

    if (outlasts) {
      held_.add(event, [&](Event& record) { next_.left_out(record); });
      return;
    }

    if (!open_)
      begin(event.time);
    distances_.leave_out(event);
    next_.left_out(event);
  }
  void unknown(std::uint64_t time) { next_.unknown(time); }
  // Call once, after the last event.
  void finish() { end(); }

 private:
  bool collapses(std::size_t iteration) const {
    return iteration != IterationCursor::outside && stand_ins_[iteration] != Collapse::kept;
  }
  void go_to(std::size_t iteration) {
    if (iteration == iteration_)
      return;
    end();
    iteration_ = iteration;
  }
  void begin(std::uint64_t time) {
    open_ = true;
    next_.stand_in(EventKind::Enter, time, stand_ins_[iteration_]);
  }
  void end() {
    if (!open_)
      return;
    open_ = false;
    for (auto& event : held_.take())
      next_.other(event);
    next_.stand_in(EventKind::Leave, last_, stand_ins_[iteration_]);
  }

  const std::vector<std::uint32_t>& stand_ins_;
  IterationCursor cursor_;
  Next& next_;
  std::size_t iteration_ = IterationCursor::outside;
  bool open_ = false;  // a stand-in
  std::uint64_t last_ = 0;
  HeldRecords held_;
  UnwindDistances distances_;
};

}  // namespace tracefold
