// Times of a trace by its clock: whole nanoseconds since the trace began, rounded down.
//
// A value. Where the trace does not define its clock, a tick is a nanosecond and it began at 0.
// Source: OTF2 3.0, ClockProperties.
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>

namespace tracefold {

class TraceTimes {
 public:
  explicit TraceTimes(const Definitions& definitions);

  // Of ticks; less than 0 before the begin of the trace.
  [[gnu::always_inline]] std::int64_t find_nanoseconds(std::uint64_t ticks) const {
    if (ticks >= begin_) [[likely]]
      return static_cast<std::int64_t>(convert(ticks - begin_));
    return -static_cast<std::int64_t>(convert_up(begin_ - ticks));
  }
  // Of a number of ticks.
  [[gnu::always_inline]] std::uint64_t convert(std::uint64_t ticks) const {
    if (ticks_per_second_ == nanoseconds)
      return ticks;
    const auto rest = Wide{ticks % ticks_per_second_} * nanoseconds;
    // Rarely do clocks tick so fast that this is more than 64 bits.
    const auto of_rest = rest >> 64 == 0 ? static_cast<std::uint64_t>(rest) / ticks_per_second_
                                         : static_cast<std::uint64_t>(rest / ticks_per_second_);
    return ticks / ticks_per_second_ * nanoseconds + of_rest;
  }

  std::uint64_t begin() const { return begin_; }
  std::uint64_t ticks_per_second() const { return ticks_per_second_; }
  // Nanoseconds since 1970 at the begin of the trace; 0: not known.
  std::uint64_t wall_clock() const { return wall_clock_; }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t nanoseconds = 1'000'000'000;

  std::uint64_t convert_up(std::uint64_t ticks) const {
    const auto down = convert(ticks);
    return down + (Wide{down} * ticks_per_second_ < Wide{ticks} * nanoseconds);
  }

  std::uint64_t begin_ = 0;
  std::uint64_t ticks_per_second_ = nanoseconds;
  std::uint64_t wall_clock_ = 0;
};

}  // namespace tracefold
