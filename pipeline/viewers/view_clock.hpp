// Times of a trace as files for viewers have them: whole nanoseconds since the trace began, rounded
// to the nearest one where the clock does not tick in nanoseconds.
//
// A value. Source: OTF2 3.0, ClockProperties.
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>

namespace tracefold {

class ViewClock {
 public:
  // `first` is the time of the first event, in ticks. The trace begins where its clock properties
  // say; at the first event where that is earlier, or so much later that viewers, which have times
  // as double numbers, would not tell nanoseconds apart.
  ViewClock(const Definitions& definitions, std::uint64_t first);

  std::uint64_t find_nanoseconds(std::uint64_t ticks) const {
    return ticks > begin_ ? convert(ticks - begin_) : 0;
  }
  // Converts a duration, from ticks to nanoseconds.
  std::uint64_t convert(std::uint64_t ticks) const {
    __extension__ using WideTicks = unsigned __int128;
    return static_cast<std::uint64_t>((WideTicks{ticks} * nanoseconds + ticks_per_second_ / 2) /
                                      ticks_per_second_);
  }

  std::uint64_t begin() const { return begin_; }  // ticks
  std::uint64_t ticks_per_second() const { return ticks_per_second_; }

 private:
  static constexpr std::uint64_t nanoseconds = 1'000'000'000;

  std::uint64_t begin_;
  std::uint64_t ticks_per_second_ = nanoseconds;
};

}  // namespace tracefold
