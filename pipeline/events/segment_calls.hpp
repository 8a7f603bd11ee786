// A sink for a part of a location whose beginning is not known yet: what the
// part tells, in terms of the calls that are open where it begins. Parts of a
// location are read side by side and joined in their order afterwards, by
// CleanEvents::join.
//
// While the part leaves calls that it did not enter, it comes to lower and
// lower levels of the unknown stack. What happens on one of these levels is a
// stage: whom the innermost open call calls there, for how long, and the Leave
// that ends it and the stage.
#pragma once

#include "model/profile/profile.hpp"
#include "otf2/event.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/pair_set.hpp"

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
    std::vector<FunctionIndex>
        callees;                   // of the innermost open call of the unknown stack, each once
    std::uint64_t in_callees = 0;  // ticks in those of them that ended
    std::uint64_t end = 0, region = 0;  // the Leave that ends it; none ends the last stage
  };
  struct OpenCall {
    std::uint64_t entered = 0, in_callees = 0;  // ticks
    std::uint64_t region = 0;
    FunctionIndex function = virtual_root;
  };

  explicit SegmentCalls(const FunctionTable& functions);
  SegmentCalls(const SegmentCalls&) = delete;
  SegmentCalls& operator=(const SegmentCalls&) = delete;

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute>) {
    time = clamp(time);
    const auto function = functions_.of(region).function;
    if (function == virtual_root) [[unlikely]] {
      unusable_ = true;
      return;
    }

    pairs_.insert(top_->function,
                  function);  // of the unknown stack: the virtual root, until the stage ends
    ++tallies_[function].visits;
    if (top_ == end_) [[unlikely]]
      grow();

    *++top_ = {time, 0, region, function};
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute>) {
    time = clamp(time);
    if (top_ == open_.data()) [[unlikely]]
      return end_stage(time, region);

    const auto& call = *top_--;
    if (call.region != region) [[unlikely]]
      mismatched_ += functions_.of(region).function != call.function;

    const auto inclusive = time - call.entered;
    top_->in_callees += inclusive;
    tallies_[call.function].exclusive += inclusive - call.in_callees;
  }
  void other(Event& event) {
    clamp(event.time);
    ++records_[static_cast<std::size_t>(event.kind)];
    if (event.kind == EventKind::Metric)
      metrics_.insert(event.fields[0]);
  }
  void unknown(std::uint64_t time) {
    clamp(time);
    ++unknown_;
  }
  // Call once, after the last event.
  void finish() { take_stage(); }

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
  std::span<const OpenCall> open() const { return {open_.data() + 1, top_ + 1}; }
  std::uint64_t visits(FunctionIndex function) const { return tallies_[function].visits; }
  std::uint64_t exclusive(FunctionIndex function) const {
    return tallies_[function].exclusive;
  }  // ticks
  const std::array<std::uint64_t, event_kinds>& records() const {
    return records_;
  }  // but for calls
  std::uint64_t unknown_records() const { return unknown_; }
  const std::set<std::uint64_t>& metrics() const { return metrics_; }

 private:
  struct Tally {
    std::uint64_t visits = 0, exclusive = 0;
  };
  [[gnu::always_inline]] std::uint64_t clamp(std::uint64_t time) {
    return time < last_ ? stepped_back(time) : last_ = time;
  }
  [[gnu::cold]] std::uint64_t stepped_back(std::uint64_t time) {
    if (std::exchange(seen_, true))
      ++backward_;
    else
      first_ = last_ = time;
    return last_;
  }
  void grow();
  void take_stage();
  void end_stage(std::uint64_t time, std::uint64_t region);

  const FunctionTable& functions_;
  PairSet pairs_;
  std::vector<Tally> tallies_;
  std::vector<OpenCall> open_;  // the first stands for the unknown stack
  OpenCall *top_, *end_;        // the innermost open call, and the last place for one
  std::vector<Stage> stages_;
  std::array<std::uint64_t, event_kinds> records_{};
  std::set<std::uint64_t> metrics_;
  std::uint64_t first_ = 0, last_ = ~std::uint64_t{0}, backward_ = 0, mismatched_ = 0, unknown_ = 0;
  bool seen_ = false, unusable_ = false;
};

}  // namespace tracefold
