#include "filters/report/rank_correlation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tracefold::rank_correlation_test {

namespace {

TEST(RankCorrelation, IsOneWhereNumbersGrowTogether) {
  EXPECT_DOUBLE_EQ(correlate_values({1, 2, 3, 5}, {10, 20, 30, 50}), 1);
  EXPECT_DOUBLE_EQ(correlate_values({1, 2, 3, 5}, {-1, -2, -3, -5}), -1);
}

TEST(RankCorrelation, IsNothingWhereOneDoesNotVary) {
  EXPECT_EQ(correlate_values({1, 2, 3}, {0.1, 0.1, 0.1}), 0);
  EXPECT_EQ(correlate_values({}, {}), 0);
}

// R: cor.test(1:8, c(1,3,2,5,4,8,6,7)).
TEST(RankCorrelation, HasTheChanceOfStudentsDistribution) {
  const auto r = correlate_values({1, 2, 3, 4, 5, 6, 7, 8}, {1, 3, 2, 5, 4, 8, 6, 7});
  EXPECT_NEAR(r, 0.8809524, 1e-7);
  EXPECT_NEAR(find_correlation_chance(r, 8), 0.003850, 1e-6);
}

TEST(RankCorrelation, IsAllByChanceOfTwo) {
  EXPECT_EQ(find_correlation_chance(1, 2), 1);
  EXPECT_NEAR(find_correlation_chance(0, 10), 1, 1e-12);
  EXPECT_EQ(find_correlation_chance(1, 10), 0);
}

}  // namespace

}  // namespace tracefold::rank_correlation_test
