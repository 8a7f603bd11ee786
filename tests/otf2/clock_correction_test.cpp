#include "otf2/local_definitions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tracefold::clock_correction_test {

using Times = std::vector<std::uint64_t>;

// What OTF2's readers do for each time, one after the other.
Times correct_each(const std::vector<ClockInterval>& intervals, const Times& times) {
  std::size_t at = 0;
  Times corrected;

  for (auto time : times) {
    while (at + 1 < intervals.size() && time > intervals[at].end)
      ++at;
    const auto now = intervals.empty() ? ClockInterval{} : intervals[at];
    const auto distance = time < now.begin ? -static_cast<double>(now.begin - time)
                                           : static_cast<double>(time - now.begin);
    corrected.push_back(time + static_cast<std::uint64_t>(now.offset) +
                        static_cast<std::uint64_t>(std::llrint(now.slope * distance)));
  }

  return corrected;
}

// The same by a clock that begins anew after every few times, as it does with each chunk.
Times correct(const std::vector<ClockInterval>& intervals, const Times& times,
              std::size_t times_of_chunk = 1000) {
  std::size_t interval = 0;
  Times corrected;

  for (std::size_t first = 0; first < times.size(); first += times_of_chunk) {
    ClockCorrection clock(intervals, interval);
    for (auto k = first; k < times.size() && k < first + times_of_chunk; ++k)
      corrected.push_back(clock(times[k]));
    interval = clock.interval();
  }

  return corrected;
}

TEST(ClockCorrection, AddsAnOffsetAndWhatTheClockHasDrifted) {
  const std::vector<ClockInterval> intervals{{1000, 2000, 50, 0.1}, {2000, 3000, 150, -0.01}};
  EXPECT_EQ(correct(intervals, {1000, 1004, 1006, 1014, 1016, 2000, 2040, 2060, 3000}),
            (Times{1050, 1054, 1057, 1065, 1068, 2150, 2190, 2209, 3140}));
}

TEST(ClockCorrection, HoldsBeforeTheFirstIntervalAndBehindTheLast) {
  const std::vector<ClockInterval> intervals{{1000, 2000, 50, 0.1}, {2000, 3000, 150, -0.01}};
  EXPECT_EQ(correct(intervals, {900, 5000}), (Times{940, 5120}));
}

TEST(ClockCorrection, ChangesNothingWhereNoClockWasMeasured) {
  EXPECT_EQ(correct({}, {0, 7, ~std::uint64_t{0}}), (Times{0, 7, ~std::uint64_t{0}}));
}

TEST(ClockCorrection, StaysInTheIntervalWhereTimesStepBack) {
  const std::vector<ClockInterval> intervals{{0, 1000, 0, 0}, {1000, 2000, 500, 0}};
  EXPECT_EQ(correct(intervals, {10, 1000, 1001, 10}), (Times{10, 1000, 1501, 510}));
}

TEST(ClockCorrection, HoldsHoweverFarATimeIsFromTheInterval) {
  const std::vector<ClockInterval> intervals{{1000, 2000, 50, 1e-9}};
  const Times times{1000, std::uint64_t{1} << 60, (std::uint64_t{1} << 63) + 5000, 0};
  EXPECT_EQ(correct(intervals, times), correct_each(intervals, times));
}

TEST(ClockCorrection, RoundsEachTimeAsIfItWereTheOnlyOne) {
  std::mt19937_64 random(1);
  const std::vector<double> slopes{0,
                                   1e-9,
                                   -1e-9,
                                   3e-6,
                                   -3e-6,
                                   1e-3,
                                   -1e-3,
                                   0.1,
                                   -0.1,
                                   0.25,
                                   -0.5,
                                   1.0 / 3,
                                   7,
                                   -1e-18,
                                   1e12,
                                   -1e300,
                                   std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity()};
  for (auto slope : slopes)
    for (const auto begin :
         {std::uint64_t{0}, std::uint64_t{3'600'000'000'000}, std::uint64_t{1} << 53,
          std::uint64_t{1} << 62, std::uint64_t{1} << 63})
      for (const std::uint64_t step : {1, 40, 100'000}) {
        std::vector<ClockInterval> intervals;
        for (std::uint64_t k = 0; k < 3; ++k)
          intervals.push_back({begin + k * 500 * step, begin + (k + 1) * 500 * step,
                               static_cast<std::int64_t>(random() % 2000) - 1000,
                               k == 1 ? -slope : slope});
        Times times;
        auto time = begin + random() % 3;
        for (int k = 0; k < 2000; ++k)
          times.push_back(random() % 20 ? time += random() % (2 * step)
                                        : time - random() % (50 * step));  // a step back
        times.push_back(begin + (std::uint64_t{1} << 60));

        for (const std::size_t times_of_chunk : {1, 7, 1000})
          EXPECT_EQ(correct(intervals, times, times_of_chunk), correct_each(intervals, times))
              << "slope " << slope << ", begin " << begin << ", step " << step;
      }
}

}  // namespace tracefold::clock_correction_test
