#include "filters/summary/long_iterations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tracefold::long_iterations_test {

LongIterations find(const std::vector<double>& times, std::size_t per_column = 1) {
  IterationTimes loop;
  loop.per_column = per_column;
  for (auto time : times)
    loop.columns.push_back({time, time, 0, time, 0});
  return find_long_iterations({loop});
}

TEST(LongIterations, AreNoneWhereAllTakeAsLong) {
  EXPECT_EQ(find({10, 10, 10, 10, 10, 10}).share, 0);
  EXPECT_EQ(find({10, 11, 10, 11, 10, 11, 10, 11}).share, 0);
}

TEST(LongIterations, AreSomeThatStandOut) {
  const auto found = find({10, 10, 10, 10, 40, 10, 10, 10});
  EXPECT_EQ(found.kind, LongKind::some);
  EXPECT_EQ(found.first, 4u);
  EXPECT_DOUBLE_EQ(found.share, 30.0 / 110);
  EXPECT_EQ(find({40, 10, 10, 10, 10, 10, 10, 10}).kind, LongKind::some) << "the first alone";
}

TEST(LongIterations, CostWhatTheRanksOfTheirLoopTake) {
  IterationTimes steady, uneven;
  steady.ranks = {0, 1, 2, 3, 4, 5};
  uneven.ranks = {6, 7};
  for (const double time : {10, 10, 10, 10, 10, 10, 10, 10})
    steady.columns.push_back({time, time, 0, time, 0});
  for (const double time : {10, 10, 10, 10, 40, 10, 10, 10})
    uneven.columns.push_back({time, time, 0, time, 0});
  const auto found = find_long_iterations({steady, uneven});
  EXPECT_DOUBLE_EQ(found.share, 2 * 30.0 / (6 * 80 + 2 * 110));
  EXPECT_EQ(found.ranks, uneven.ranks);
}

TEST(LongIterations, BecomeSlower) {
  const auto found = find({10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  EXPECT_EQ(found.kind, LongKind::slower);
  EXPECT_EQ(found.change_at, 0u);
  EXPECT_LT(found.usual, found.value);
}

TEST(LongIterations, BecomeSlowerFromOneOn) {
  const auto found = find({10, 10, 10, 10, 10, 10, 15, 15, 15, 15});
  EXPECT_EQ(found.kind, LongKind::slower);
  EXPECT_EQ(found.change_at, 6u);
  EXPECT_DOUBLE_EQ(found.share, 20.0 / 120);
}

TEST(LongIterations, BecomeFaster) {
  const auto found = find({19, 18, 17, 16, 15, 14, 13, 12, 11, 10});
  EXPECT_EQ(found.kind, LongKind::faster);
  EXPECT_EQ(found.change_at, 0u);
  EXPECT_LT(found.usual, found.value);
}

TEST(LongIterations, AreTheFirstHalfThatIsSlower) {
  const auto found = find({15, 14.8, 15, 15.1, 15, 10, 10.2, 10, 10, 9.9});
  EXPECT_EQ(found.kind, LongKind::faster);
  EXPECT_EQ(found.change_at, 5u);
  EXPECT_EQ(found.last, 4u);
  EXPECT_DOUBLE_EQ(found.value, 15);
  EXPECT_DOUBLE_EQ(found.usual, 10);
  EXPECT_NEAR(found.share, 24.9 / 125, 1e-9);
}

TEST(LongIterations, CountIterationsThatShareAColumn) {
  const auto found = find({60, 60, 60, 40, 40, 40, 40, 40, 10}, 4);
  EXPECT_EQ(found.kind, LongKind::faster);
  EXPECT_EQ(found.change_at, 12u);
  EXPECT_EQ(found.last, 11u);
  EXPECT_DOUBLE_EQ(found.value, 15);
}

TEST(LongIterations, AreOneOfSoMany) {
  const auto found = find({10, 10, 30, 10, 10, 30, 10, 10, 30, 10, 10});
  EXPECT_EQ(found.every, 3u);
  EXPECT_EQ(found.first, 2u);
  EXPECT_EQ(found.last, 8u);
  EXPECT_EQ(found.count, 3u);
  EXPECT_EQ(found.usual, 10);
  EXPECT_EQ(found.value, 30);
  EXPECT_DOUBLE_EQ(found.share, 60. / 170);

  const auto [of_times, which] = find_long_times({10, 10, 30, 10, 10, 30, 10, 10, 30, 10, 10});
  EXPECT_EQ(of_times.share, 60);
  EXPECT_THAT(which, ::testing::ElementsAre(2, 5, 8));
}

TEST(LongIterations, OfShortLoopsStandFarApart) {
  const auto first = find({30, 10.1, 10, 10.1});
  EXPECT_EQ(first.kind, LongKind::some);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.count, 1u);
  EXPECT_NEAR(first.share, 19.9 / 60.2, 1e-9);
  EXPECT_EQ(find({10, 10, 12}).first, 2u);
  EXPECT_EQ(find({10, 10, 30, 30, 10, 10}).count, 2u) << "two in a row";

  const auto half = find({20, 20.1, 20, 30, 30.1, 30});
  EXPECT_EQ(half.kind, LongKind::slower);
  EXPECT_EQ(half.change_at, 3u);
  EXPECT_EQ(half.last, 5u);

  const auto two = find({20, 20, 20, 20, 40, 20, 20, 20, 20, 40});
  EXPECT_EQ(two.every, 5u);
  EXPECT_EQ(two.first, 4u);
  EXPECT_EQ(two.last, 9u);
}

TEST(LongIterations, OfShortLoopsAreNoneThatMayBeNoise) {
  EXPECT_EQ(find({30, 10, 13, 10}).share, 0) << "others differ by more than a tenth of that";
  EXPECT_EQ(find({20, 21, 20, 25, 26, 25}).share, 0);
  EXPECT_EQ(find({10.5, 10, 10}).share, 0) << "5 %";
  EXPECT_EQ(find({10, 30, 10}).share, 0) << "two kinds may take turns";
  EXPECT_EQ(find({10, 30, 10, 30}).share, 0);
  EXPECT_EQ(find({10, 30, 30, 30}).share, 0);
  EXPECT_EQ(find({10, 30}).share, 0);
  EXPECT_EQ(find({10, 10, 30}, 4).share, 0) << "the last column may be of fewer iterations";
}

// Two of ten that are no period.
TEST(LongIterations, AreNoneWhereSomeAreLongInNoOrder) {
  EXPECT_EQ(find({20, 40, 20, 40, 20, 20, 20, 20, 20, 20}).share, 0);
}

TEST(LongIterations, BeginAndEndWhereTheirTrendDoes) {
  EXPECT_DOUBLE_EQ(find_end({10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, false), 10);
  EXPECT_DOUBLE_EQ(find_end({10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, true), 19);
  EXPECT_DOUBLE_EQ(find_end({25, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}, false),
                   11)
      << "the first one is an outlier, and none is shorter than the shortest";
  EXPECT_DOUBLE_EQ(find_end({10, 10, 10, 10, 10, 20, 30, 40, 50, 60}, false), 10);
  EXPECT_DOUBLE_EQ(find_end({0, 0, 0, 10, 30, 60, 100, 150}, false), 0);
}

TEST(LongIterations, HaveNoPeriodWhereTwoAreAnywhere) {
  std::vector<double> times(20, 10);
  times[2] = times[13] = 30;
  EXPECT_EQ(find(times).every, 0u);
  EXPECT_EQ(find({30, 10, 10, 30}).every, 0u);
}

// Bent upwards: a line through the first ones begins below all of them.
TEST(LongIterations, AreNeverShorterThanTheShortest) {
  std::vector<double> times;
  for (int i = 0; i < 41; ++i)
    times.push_back(100 + 10 * i * i);
  EXPECT_GE(find_end(times, false), 100);
}

// The third one is missing.
TEST(LongIterations, HaveNoPeriodWithGaps) {
  EXPECT_EQ(find({10, 10, 30, 10, 10, 30, 10, 10, 10, 10, 10, 30}).every, 0u);
}

TEST(LongIterations, DoNotChangeWherePhasesTakeTurns) {
  EXPECT_EQ(find({15, 10, 15, 10, 15, 10, 15, 10, 15, 10}).share, 0);
}

}  // namespace tracefold::long_iterations_test
