#include "base/averages.hpp"

#include <gtest/gtest.h>

namespace tracefold::averages_test {

TEST(Averages, OfAnEvenNumberThereAreTwoMedians) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_EQ(find_lower_median(values), 2);
  EXPECT_EQ(find_upper_median(values), 3);
  EXPECT_EQ(find_lower_median({3, 1, 2}), 2);
  EXPECT_EQ(find_upper_median({3, 1, 2}), 2);
}

TEST(Averages, AreZeroWithoutValues) {
  EXPECT_EQ(compute_sum({}), 0);
  EXPECT_EQ(compute_mean({}), 0);
  EXPECT_EQ(find_most({}), 0);
  EXPECT_EQ(find_lower_median({}), 0);
  EXPECT_EQ(find_upper_median({}), 0);
}

TEST(Averages, AddUpAndFindTheMost) {
  const std::vector<double> values{-3, 1, -1};
  EXPECT_EQ(compute_sum(values), -3);
  EXPECT_EQ(compute_mean(values), -1);
  EXPECT_EQ(find_most(values), 1);
}

}  // namespace tracefold::averages_test
