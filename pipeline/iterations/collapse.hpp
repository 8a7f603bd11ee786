// Which iterations of which locations are collapsed, and what stands for them; and a
// sink that collapses them in the clean events of one location.
//
// A collapsed iteration becomes one call, from its first to its last time stamp, at the
// depth of its calls. Messages and other records of its own are left out; of each
// recorded metric its last value stays, so that what is read at the iteration's
// borders is as it was. Kept iterations are complete.
//
// Source: DESIGN's rule 7 of rewriting; dynamics 4.1 for what stands for an iteration.
#pragma once

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/events/iteration_cursor.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Whether a region with this name stands for iterations.
bool is_stand_in(std::string_view name);
// Whether a reduction has collapsed iterations of this trace before.
bool is_collapsed(const Definitions& definitions);

// Immutable once made; any thread may ask. The plan must stay.
class Collapse {
 public:
  static constexpr std::uint32_t kept = 0xffffffff;  // the iteration stays

  explicit Collapse(const Plan& plan);

  bool any() const { return !names_.empty(); }
  // Of the regions that stand for iterations.
  const std::vector<std::string>& names() const { return names_; }
  // The loops of a location whose iterations collapse; null where it stays whole.
  const ProcessLoops* find_loops(std::uint64_t location) const;
  // By iteration, through all loops: the stand-in's place in names(), or `kept`.
  const std::vector<std::uint32_t>& stand_ins() const { return stand_ins_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint32_t> stand_ins_;
  std::unordered_map<std::uint64_t, const ProcessLoops*> loops_;
};

// Records that make or unmake what others refer to: handles of files, communicators, windows.
bool outlasts_iterations(EventKind kind);

// Next takes clean events, and besides:
//   void left_out(Event&);                        // a record in a collapsed iteration that is no
//   call void stand_in(EventKind, time, stand-in);     // Enter or Leave
template <class Next>
class CollapsedEvents {
 public:
  CollapsedEvents(const Collapse& collapse, const ProcessLoops& loops, Next& next)
      : stand_ins_(collapse.stand_ins()), cursor_(loops), next_(next) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.enter(call);
    go_to(iteration);
    if (!collapses(iteration))
      next_.enter(call, attributes);
    else if (!open_)
      begin(call.time);

    last_ = call.time;
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    const auto iteration = cursor_.leave(call);
    go_to(iteration);
    if (!collapses(iteration))
      next_.leave(call, attributes);
    last_ = call.time;
  }
  void other(Event& event) {
    const auto iteration = cursor_.other(event.time);
    go_to(iteration);
    const bool lasts = event.kind == EventKind::Metric || outlasts_iterations(event.kind);
    if (!collapses(iteration) || (lasts && !open_))
      next_.other(event);
    else if (lasts)
      hold(event);
    else
      next_.left_out(event);

    last_ = event.time;
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
    for (auto& event : held_)
      next_.other(event);
    held_.clear();
    next_.stand_in(EventKind::Leave, last_, stand_ins_[iteration_]);
  }
  // Keeps the last values of each metric, and all of the rest, in the order of time.
  void hold(const Event& event) {
    const bool is_metric = event.kind == EventKind::Metric;
    const auto known = std::find_if(held_.begin(), held_.end(), [&](const Event& e) {
      return is_metric && e.kind == event.kind && e.fields[0] == event.fields[0];
    });
    if (known != held_.end()) {
      next_.left_out(*known);
      std::rotate(known, known + 1, held_.end());
      held_.back() = event;
    } else {
      held_.push_back(event);
    }
  }

  const std::vector<std::uint32_t>& stand_ins_;
  IterationCursor cursor_;
  Next& next_;
  std::size_t iteration_ = IterationCursor::outside;
  bool open_ = false;  // a stand-in
  std::uint64_t last_ = 0;
  std::vector<Event> held_;
};

}  // namespace tracefold
