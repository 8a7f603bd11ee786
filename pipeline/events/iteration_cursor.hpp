// Follows the clean events of a location through the iterations of its loops.
//
// For a location's own loops: an iteration begins with an Enter, identified by its time and its
// order among those of the same time. It has all calls that are entered at that depth before the
// next iteration or the end of the loop. An instance of a marked region is just that call.
//
// For loops from another location only intervals are known. The base is the smallest number of open
// calls since the loop began. A call that is entered at the base belongs to the iteration whose
// interval has its begin, as long as it is open.
//
// Call enter, leave and other once for each event, in order. One object for each location; the
// loops must outlive it.
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/clean_events.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

class IterationCursor {
 public:
  static constexpr std::size_t outside = ~std::size_t{0};  // no iteration

  explicit IterationCursor(const ProcessLoops& loops);

  // These return the iteration of the event: 0, 1, 2, … over all loops.
  [[gnu::always_inline]] std::size_t enter(const CallBegin& call) {
    order_ = call.time == now_ ? order_ + 1 : 0;
    now_ = call.time;
    if (depth_ == base_ || !in_loop_) [[unlikely]]
      place_ = place_enter(call.time);
    ++depth_;

    return place_;
  }
  [[gnu::always_inline]] std::size_t leave(const CallEnd&) {
    --depth_;
    if (depth_ <= base_ && in_loop_) [[unlikely]]
      return place_leave();
    return place_;
  }
  [[gnu::always_inline]] std::size_t other(std::uint64_t time) {
    if (depth_ == base_ || !in_loop_) [[unlikely]]
      place_ = place_other(time);
    return place_;
  }

  // Whether the last event was in a loop. Then a call deeper than the base is in the iteration of
  // its caller.
  bool in_loop() const { return in_loop_; }
  std::size_t open_calls() const { return depth_; }
  // The number of open calls around the iteration of the last event.
  std::size_t base() const { return base_; }
  std::size_t iterations() const { return iterations_.size(); }
  Interval interval(std::size_t iteration) const { return iterations_[iteration].interval; }

 private:
  struct Iteration {
    Interval interval;
    std::uint32_t order = 0;      // number of Enters of the same time before the one that begins it
    std::uint32_t end_order = 0;  // the order of an Enter at its end that is behind it
    bool is_one_call = false;
    bool is_first = false;  // in its loop
    bool is_last = false;
  };
  std::size_t place_enter(std::uint64_t time);
  std::size_t place_leave();
  std::size_t place_other(std::uint64_t time);
  std::size_t begin_iteration(std::size_t iteration);
  std::size_t find_by_time(std::uint64_t time);
  bool goes_on() const;

  std::vector<Iteration> iterations_;      // of all loops
  bool is_taken_;                          // the loops are of another location
  std::size_t next_ = 0;                   // the next iteration to begin
  std::size_t place_ = outside;            // the iteration of the last event
  std::uint64_t now_ = ~std::uint64_t{0};  // time of the last Enter
  std::uint32_t order_ = 0;                // of the last Enter, among those of the same time
  std::size_t depth_ = 0;                  // open calls
  std::size_t base_ = 0;
  bool in_loop_ = false;
};

}  // namespace tracefold
