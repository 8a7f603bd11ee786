// Equal parts of a run, used in place of the iterations of a loop.
//
// The first part also has everything before it, and the last one everything behind it. Time is
// divided at the borders, whatever calls are open; a record, and a time of waiting that is known at
// the end of a call, counts in the part in which it is.
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/clean_events.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tracefold {

struct TimeSlices {
  Interval run;  // ticks; not empty
  std::size_t count = 1;

  std::uint64_t begin(std::size_t slice) const {
    __extension__ using Product = unsigned __int128;
    const Product length = run.end - run.begin;
    return run.begin + static_cast<std::uint64_t>(length * slice / count);
  }
  Interval interval(std::size_t slice) const {
    return {slice == 0 ? 0 : begin(slice),
            slice + 1 == count ? std::numeric_limits<std::uint64_t>::max() : begin(slice + 1)};
  }
};

// Replaces an IterationCursor. One object for each location; the slices must outlive it.
class SliceCursor {
 public:
  explicit SliceCursor(const TimeSlices& slices) : slices_(slices), now_(slices.interval(0)) {}

  std::size_t enter(const CallBegin& call) {
    ++open_calls_;
    return other(call.time);
  }
  std::size_t leave(const CallEnd& call) {
    --open_calls_;
    return other(call.time);
  }
  std::size_t other(std::uint64_t time) {
    while (time >= now_.end && slice_ + 1 < slices_.count)
      now_ = slices_.interval(++slice_);
    return slice_;
  }

  // No call belongs to an iteration as a whole: its time may be divided.
  bool in_loop() const { return false; }
  std::size_t open_calls() const { return open_calls_; }
  std::size_t base() const { return 0; }
  std::size_t iterations() const { return slices_.count; }
  Interval interval(std::size_t slice) const { return slices_.interval(slice); }

 private:
  const TimeSlices& slices_;
  std::size_t slice_ = 0;
  Interval now_;
  std::size_t open_calls_ = 0;
};

}  // namespace tracefold
