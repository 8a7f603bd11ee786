// Tells in which iteration of a location's loops each clean event is.
//
// A location's own loops: an iteration begins with the Enter that parts iterations,
// known by its time and its order among those of one time, and holds whole calls: all
// that are entered at that depth before the next iteration or the loop's end. An
// instance of a marked region is that one call.
// Loops taken from another location, whose intervals are all that is known: the
// base is the fewest calls open since the loop began; what is entered there belongs
// to the iteration in whose interval it is entered, for as long as it is open.
//
// Call enter, leave and other once for each event, in their order. One per location;
// the loops must stay.
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

  // The iteration that the event is in: numbered 0, 1, 2, … through all loops.
  [[gnu::always_inline]] std::size_t enter(const CallBegin& call) {
    order_ = call.time == now_ ? order_ + 1 : 0;
    now_ = call.time;
    if (depth_ == base_ || !settled_) [[unlikely]]
      place_ = entered(call.time);
    ++depth_;

    return place_;
  }
  [[gnu::always_inline]] std::size_t leave(const CallEnd&) {
    --depth_;
    if (depth_ <= base_ && settled_) [[unlikely]]
      return left();
    return place_;
  }
  [[gnu::always_inline]] std::size_t other(std::uint64_t time) {
    if (depth_ == base_ || !settled_) [[unlikely]]
      place_ = seen(time);
    return place_;
  }

  // False outside of loops, where it is not settled to which iteration a deeper call belongs.
  bool in_loop() const { return settled_; }
  std::size_t open_calls() const { return depth_; }
  std::size_t base() const {
    return base_;
  }  // open calls around the iteration that the last event was in
  std::size_t iterations() const { return iterations_.size(); }
  Interval interval(std::size_t iteration) const { return iterations_[iteration].interval; }

 private:
  struct Iteration {
    Interval interval;
    std::uint32_t order = 0,
                  end_order =
                      0;  // of the Enter that begins it, and of one at its end that is behind it
    bool one_call = false, first = false, last = false;  // of its loop
  };
  std::size_t entered(std::uint64_t time);
  std::size_t left();
  std::size_t seen(std::uint64_t time);
  std::size_t begin_iteration(std::size_t iteration);
  std::size_t by_time(std::uint64_t time);
  bool goes_on() const;

  std::vector<Iteration> iterations_;  // of all loops
  bool taken_;
  std::size_t next_ = 0;                   // the first iteration that has not begun
  std::size_t place_ = outside;            // of the last event
  std::uint64_t now_ = ~std::uint64_t{0};  // time of the last Enter
  std::uint32_t order_ = 0;                // of it
  std::size_t depth_ = 0, base_ = 0;
  bool settled_ = false;  // in a loop: what is deeper than base_ is where its caller is
};

}  // namespace tracefold
