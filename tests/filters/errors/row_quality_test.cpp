#include "filters/errors/row_quality.hpp"

#include <gmock/gmock.h>

namespace tracefold::row_quality_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RowComparison, NamesTheFunctionThatHasNearlyAllOfTheDifference) {
  RowComparison comparison;
  comparison.add(3, 100, 40);
  comparison.add(3, 10, 0);
  comparison.add(1, 5, 15);
  const auto found = comparison.take(7);
  EXPECT_EQ(found.process, 7u);
  EXPECT_EQ(found.function, 3u);
  EXPECT_TRUE(found.is_longer);
  EXPECT_EQ(found.ticks, 70u);
}

TEST(RowComparison, NamesNoFunctionWhereSeveralHaveIt) {
  RowComparison comparison;
  comparison.add(0, 50, 100);
  comparison.add(1, 50, 100);
  const auto found = comparison.take(0);
  EXPECT_EQ(found.function, std::nullopt);
  EXPECT_FALSE(found.is_longer);
  EXPECT_EQ(found.ticks, 100u);
  // It has forgotten what was added.
  EXPECT_EQ(comparison.take(1).ticks, 0u);
}

TEST(RowDifference, IsOrderedBySizeThenByProcess) {
  const RowDifference large{4, std::nullopt, true, 9}, small{1, std::nullopt, true, 3};
  EXPECT_TRUE(large.is_before(small));
  EXPECT_FALSE(small.is_before(large));
  EXPECT_TRUE((RowDifference{2, std::nullopt, true, 9}).is_before(large));
}

TEST(ListUntypical, HasRowsOutsideOfTheMiddleHalf) {
  const std::vector<RowTimes> times{{10, 0}, {20, 0}, {30, 0}, {40, 0}, {50, 0}};
  const auto list = [&](std::size_t row, double least = 0) {
    return list_untypical(std::vector<std::size_t>(5, row), times, &RowTimes::useful, least);
  };
  // A quarter of five, rounded up, are two.
  EXPECT_THAT(list(0), ElementsAre(0));
  EXPECT_THAT(list(1), IsEmpty());
  EXPECT_THAT(list(3), IsEmpty());
  EXPECT_THAT(list(4), ElementsAre(4));
  EXPECT_THAT(list(4, 10), IsEmpty());
  // One of two is as typical as the other, and who stands for itself is.
  EXPECT_THAT(list_untypical({0, 0, 2, 3, 4}, times, &RowTimes::useful, 0), IsEmpty());
}

}  // namespace tracefold::row_quality_test
