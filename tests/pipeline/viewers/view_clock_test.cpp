#include "pipeline/viewers/view_clock.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tracefold::view_clock_test {

namespace {

ViewClock make_clock(std::uint64_t ticks_per_second, std::uint64_t offset, std::uint64_t first) {
  Definitions definitions;
  Definition clock;
  clock.kind = DefinitionKind::ClockProperties;
  clock.fields = {ticks_per_second, offset};
  definitions.add(clock);
  definitions.finish();
  return {definitions, first};
}

}  // namespace

TEST(ViewClock, CountsNanosecondsFromTheBeginOfTheTrace) {
  const auto clock = make_clock(1'000'000'000, 500, 700);
  EXPECT_EQ(clock.begin(), 500u);
  EXPECT_EQ(clock.find_nanoseconds(700), 200u);
  EXPECT_EQ(clock.find_nanoseconds(1'234'567'890'123'456'789u), 1'234'567'890'123'456'289u);
}

TEST(ViewClock, RoundsTicksOfAnyLength) {
  EXPECT_EQ(make_clock(3, 0, 0).find_nanoseconds(1), 333'333'333u);
  EXPECT_EQ(make_clock(3, 0, 0).find_nanoseconds(2), 666'666'667u);
  EXPECT_EQ(make_clock(2'400'000'000, 0, 0).find_nanoseconds(std::uint64_t{24} << 58),
            std::uint64_t{10} << 58);  // no overflow on the way
  EXPECT_EQ(make_clock(1'000'000, 0, 0).find_nanoseconds(7), 7'000u);
}

TEST(ViewClock, BeginsAtTheFirstEventWhereTheTraceSaysNothingOfUse) {
  EXPECT_EQ(make_clock(1'000'000'000, 900, 700).begin(), 700u);
  EXPECT_EQ(make_clock(1'000'000'000, 900, 700).find_nanoseconds(600), 0u);
  const auto years = std::uint64_t{1} << 60;
  EXPECT_EQ(make_clock(1'000'000'000, 0, years).begin(), years);
  EXPECT_EQ(make_clock(0, 5, 5).ticks_per_second(), 1'000'000'000u);

  const ViewClock clock(Definitions(), 42);
  EXPECT_EQ(clock.begin(), 42u);
  EXPECT_EQ(clock.find_nanoseconds(43), 1u);
}

}  // namespace tracefold::view_clock_test
