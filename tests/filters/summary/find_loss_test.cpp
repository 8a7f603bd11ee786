#include "filters/summary/find_loss.hpp"

#include "filters/summary/find_chain.hpp"
#include "filters/summary/outliers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tracefold::find_loss_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FindLargest, TakesTheOneThatStandsOut) {
  const auto found = find_largest({10, 10.2, 18, 10.1});
  EXPECT_TRUE(found.are_clear);
  EXPECT_THAT(found.places, ElementsAre(2));
}

TEST(FindLargest, TakesAllThatStandOut) {
  EXPECT_THAT(find_largest({10, 16, 10.2, 10.1, 16.1, 15.9}).places, ElementsAre(1, 4, 5));
}

TEST(FindLargest, TakesTheLargestWhereNothingStandsOut) {
  const auto found = find_largest({1, 2, 3, 4, 5, 6});
  EXPECT_FALSE(found.are_clear);
  EXPECT_THAT(found.places, ElementsAre(5));
}

TEST(FindLargest, FindsNothingSpecialInEqualValues) {
  EXPECT_FALSE(find_largest({3, 3, 3}).are_clear);
  // Of gaps that are about equal, the upper one counts.
  EXPECT_THAT(find_largest({3.05, 6, 9}).places, ElementsAre(2));
  EXPECT_THAT(find_largest({2.95, 6, 9}).places, ElementsAre(2));
  EXPECT_THAT(find_largest({}).places, IsEmpty());
}

TEST(FindChain, FollowsPairsFromTheBegin) {
  const auto chain = find_chain({{{2, 3}, 5}, {{0, 1}, 3}, {{1, 2}, 4}, {{7, 8}, 9}});
  EXPECT_THAT(chain.processes, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(chain.waiting, 3 + 4 + 5);
}

TEST(FindChain, EndsInCircles) {
  EXPECT_THAT(find_chain({{{0, 1}, 1}, {{1, 2}, 1}, {{2, 0}, 1}}).processes, ElementsAre(0, 1, 2));
  EXPECT_THAT(find_chain({}).processes, IsEmpty());
}

// What is far shorter than the longest begins no chain of its own, but may lead to one.
TEST(FindChain, BeginsWithShortWaitsThatLeadToIt) {
  EXPECT_THAT(find_chain({{{0, 1}, 1}, {{1, 2}, 100}, {{2, 3}, 100}, {{5, 6}, 1}}).processes,
              ElementsAre(0, 1, 2, 3));
}

}  // namespace tracefold::find_loss_test
