#include "emitters/axis.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::axis_test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Plan make_plan(std::uint64_t ticks_per_second) {
  Plan plan;
  plan.trace.ticks_per_second = ticks_per_second;
  return plan;
}

TEST(Axis, TicksAreRound) {
  EXPECT_THAT(choose_ticks(0, 100, 5).values, ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(choose_ticks(3, 11, 5).values, ElementsAre(4, 6, 8, 10));
  EXPECT_THAT(choose_ticks(0, 1, 2).values, ElementsAre(0, DoubleEq(0.5), 1));
  EXPECT_THAT(
      choose_ticks(0.00031, 0.00039, 4).values,
      ElementsAre(DoubleEq(0.00032), DoubleEq(0.00034), DoubleEq(0.00036), DoubleEq(0.00038)));
  EXPECT_THAT(choose_ticks(-30, 30, 6).values, ElementsAre(-30, -20, -10, 0, 10, 20, 30));
  EXPECT_THAT(choose_ticks(5, 5, 4).values, IsEmpty());
}

TEST(Axis, TicksAreFewOverAnyRange) {
  for (double high = 1e-12; high < 1e15; high *= 1.7)
    for (std::size_t most : {1, 3, 8}) {
      const auto ticks = choose_ticks(0, high, most);
      EXPECT_GE(ticks.values.size(), 1u) << high;
      EXPECT_LE(ticks.values.size(), most + 1) << high;
    }
}

TEST(Axis, WholeTicksAreThoseOfAFewThings) {
  EXPECT_THAT(choose_whole_ticks(0, 8), IsEmpty());
  EXPECT_THAT(choose_whole_ticks(1, 8), ElementsAre(0));
  EXPECT_THAT(choose_whole_ticks(4, 8), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(choose_whole_ticks(100, 5), ElementsAre(0, 20, 40, 60, 80));
}

TEST(Axis, UnitsKeepNumbersShort) {
  const auto plan = make_plan(1'000'000'000);
  EXPECT_EQ(choose_unit(plan, MetricKind::time, 2.5e9).name, "s");
  EXPECT_EQ(choose_unit(plan, MetricKind::time, 2.5e6).name, "ms");
  EXPECT_DOUBLE_EQ(choose_unit(plan, MetricKind::time, 2.5e6).size, 1e6);
  EXPECT_EQ(choose_unit(plan, MetricKind::time, 3).name, "ns");
  EXPECT_EQ(choose_unit(plan, MetricKind::time, 0).name, "s");
  EXPECT_EQ(choose_unit(plan, MetricKind::bytes, 9000).name, "bytes");
  EXPECT_EQ(choose_unit(plan, MetricKind::bytes, 70000).name, "KiB");
  EXPECT_EQ(choose_unit(plan, MetricKind::count, 70000).name, "10^3");
  EXPECT_EQ(choose_unit(plan, MetricKind::counter, 12).name, "");
  EXPECT_EQ(choose_unit(plan, MetricKind::counter, 12, "J").name, "J");
  EXPECT_EQ(choose_unit(plan, MetricKind::counter, 70000, "10^-3 J").name, "10^3 10^-3 J");
}

TEST(Axis, NumbersHaveTheDigitsTheyNeed) {
  EXPECT_EQ(write_number(20, 10), "20");
  EXPECT_EQ(write_number(0.5, 0.5), "0.5");
  EXPECT_EQ(write_number(1.25, 0.05), "1.25");
  EXPECT_THAT(write_numbers({0, 0.0012345, 98765.4}), ElementsAre("0", "0.00123", "98765"));
  EXPECT_THAT(write_numbers({2.5301, 2.5302, 2.5302}), ElementsAre("2.5301", "2.5302", "2.5302"));
}

}  // namespace tracefold::axis_test
