// A sink for a part of a location whose beginning is not known yet: what the
// part tells, in terms of the calls that are open where it begins. Parts of one
// huge location are read side by side and joined in their order afterwards, by
// CleanEvents::join.
//
// While the part leaves calls that it did not enter, it comes to lower and
// lower levels of the unknown stack. What happens on one of these levels is a
// stage: whom the innermost open call calls there, for how long, and the Leave
// that ends it and the stage.
#pragma once

#include "model/event.hpp"
#include "model/profile.hpp"
#include "pipeline/function_table.hpp"
#include "pipeline/pair_set.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

class SegmentCalls {
 public:
  struct Stage {
    std::vector<FunctionIndex> callees;   // of the innermost open call of the unknown stack, each once
    std::uint64_t in_callees = 0;         // ticks in those of them that ended
    std::uint64_t end = 0, region = 0;    // the Leave that ends it; none ends the last stage
  };
  struct OpenCall {
    FunctionIndex function;
    std::uint64_t region, entered, in_callees;
  };

  explicit SegmentCalls(const FunctionTable& functions);

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute>) {
    time = clamp(time);
    const auto entry = functions_.of(region);
    unusable_ |= entry.function == virtual_root;
    if (unusable_) return;
    auto& tally = tallies_[entry.function];
    if (open_.empty()) {
      if (tally.called_in != stages_.size()) call_from_below(entry.function);
    } else {
      pairs_.insert(open_.back().function, entry.function);
    }
    ++tally.visits;
    open_.push_back({entry.function, region, time, 0});
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute>) {
    time = clamp(time);
    if (unusable_) return;
    if (open_.empty()) return end_stage(time, region);
    const auto call = open_.back();
    open_.pop_back();
    if (call.region != region) mismatched_ += functions_.of(region).function != call.function;
    const auto inclusive = time - call.entered;
    (open_.empty() ? stages_.back().in_callees : open_.back().in_callees) += inclusive;
    tallies_[call.function].exclusive += inclusive - call.in_callees;
  }
  void other(Event& event) {
    clamp(event.time);
    ++records_[static_cast<std::size_t>(event.kind)];
    if (event.kind == EventKind::Metric) metrics_.insert(event.fields[0]);
  }
  void unknown(std::uint64_t time) {
    clamp(time);
    ++unknown_;
  }
  // False where a call is of an undefined region, or the part leaves more calls
  // than it is worth to keep stages for: it cannot be joined.
  bool usable() const { return !unusable_; }
  bool any() const { return seen_; }
  std::uint64_t first_time() const { return first_; }  // of any record, where there is one
  std::uint64_t last_time() const { return last_; }
  std::uint64_t backward() const { return backward_; }
  std::uint64_t mismatched() const { return mismatched_; }
  const std::vector<Stage>& stages() const { return stages_; }
  const std::vector<CallPair>& pairs() const { return pairs_.found(); }
  const std::vector<OpenCall>& open() const { return open_; }
  std::uint64_t visits(FunctionIndex function) const { return tallies_[function].visits; }
  std::uint64_t exclusive(FunctionIndex function) const { return tallies_[function].exclusive; }  // ticks
  const std::array<std::uint64_t, event_kinds>& records() const { return records_; }            // but for calls
  std::uint64_t unknown_records() const { return unknown_; }
  const std::set<std::uint64_t>& metrics() const { return metrics_; }

 private:
  struct Tally {
    std::uint64_t visits = 0, exclusive = 0;
    std::size_t called_in = 0;  // the number of stages when the unknown stack called it last
  };
  std::uint64_t clamp(std::uint64_t time) {
    if (!seen_) first_ = last_ = time, seen_ = true;
    if (time >= last_) return last_ = time;
    ++backward_;
    return last_;
  }
  void call_from_below(FunctionIndex function);
  void end_stage(std::uint64_t time, std::uint64_t region);

  const FunctionTable& functions_;
  PairSet pairs_;
  std::vector<Tally> tallies_;
  std::vector<OpenCall> open_;
  std::vector<Stage> stages_;
  std::array<std::uint64_t, event_kinds> records_{};
  std::set<std::uint64_t> metrics_;
  std::uint64_t first_ = 0, last_ = 0, backward_ = 0, mismatched_ = 0, unknown_ = 0;
  bool seen_ = false, unusable_ = false;
};

}  // namespace tracefold
