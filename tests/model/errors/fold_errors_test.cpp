// Whether an error is small enough, and how it is shown.
#include "model/errors/fold_errors.hpp"

#include "model/errors/accuracy.hpp"

#include <gtest/gtest.h>

namespace tracefold::fold_errors_test {

FoldError make_error(double all, double communication) {
  FoldError error;
  error.all = all;
  error.communication.of_own = communication;
  return error;
}

TEST(Accuracy, IsExceededByTheKindThatIsFarthestAbove) {
  const Accuracy both{0.25, 0.5};
  EXPECT_EQ(both.measure_excess(make_error(0.25, 0.5)), 0);
  EXPECT_EQ(both.measure_excess(make_error(0.375, 0.5)), 0.125);
  EXPECT_EQ(both.measure_excess(make_error(0.375, 0.75)), 0.25);
  EXPECT_EQ(both.measure_excess(make_error(0, 0.625)), 0.125);
}

TEST(Accuracy, AllowsAnyCommunicationWhereNothingIsSaidOfIt) {
  const Accuracy of_all{0.25};
  EXPECT_TRUE(of_all.is_met_by(make_error(0.25, 7)));
  EXPECT_FALSE(of_all.is_met_by(make_error(0.5, 0)));
}

TEST(FormatPercent, HasThreeDigitsAndNoPowersOfTen) {
  EXPECT_EQ(format_percent(0.1421), "14.2 %");
  EXPECT_EQ(format_percent(0.00001), "0.001 %");
  EXPECT_EQ(format_percent(9.994), "999 %");
  EXPECT_EQ(format_percent(9.996), "1000 %");
  EXPECT_EQ(format_percent(39), "3900 %");
}

}  // namespace tracefold::fold_errors_test
