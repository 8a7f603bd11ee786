#include "emitters/show_numbers.hpp"

#include <gtest/gtest.h>

namespace tracefold::show_numbers_test {

TEST(ShowPercent, TellsNearlyAllAndNearlyNothing) {
  EXPECT_EQ(show_percent(0), "0 %");
  EXPECT_EQ(show_percent(0.0001), "0.0 %");
  EXPECT_EQ(show_percent(0.094), "9.4 %");
  EXPECT_EQ(show_percent(0.42), "42 %");
  EXPECT_EQ(show_percent(0.9971), "99.7 %");
  EXPECT_EQ(show_percent(1), "100 %");
}

TEST(ShowGrowth, HasNeitherMinusZeroNorAllOfWhatIsNotAll) {
  EXPECT_EQ(show_growth(2, 2.25), "+12.5 %");
  EXPECT_EQ(show_growth(2, 1.5), "-25.0 %");
  EXPECT_EQ(show_growth(1, 10.9), "+990.0 %");
  EXPECT_EQ(show_growth(1, 1171), "x1171");
  EXPECT_EQ(show_growth(1000, 999.9), "0.0 %");
  EXPECT_EQ(show_growth(10000, 1), "<-99.9 %");
  EXPECT_EQ(show_growth(10000, 0), "-100.0 %");
}

}  // namespace tracefold::show_numbers_test
