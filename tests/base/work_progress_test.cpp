#include "base/work_progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tracefold::work_progress_test {
namespace {

TEST(WorkProgress, GivesEachStepItsShareOfTheWhole) {
  WorkProgress work({{"read", 3}, {"write", 1}});
  work.begin_step("read", 0);
  EXPECT_DOUBLE_EQ(work.share(), 0);
  work.advance(0.5, 1);
  EXPECT_DOUBLE_EQ(work.share(), 0.375);
  work.begin_step("write", 2);
  EXPECT_DOUBLE_EQ(work.share(), 0.75);
  work.advance(1, 3);
  EXPECT_DOUBLE_EQ(work.share(), 1);
}

TEST(WorkProgress, GivesWhatSkippedStepsWouldHaveTakenToTheRest) {
  WorkProgress work({{"read", 1}, {"sum", 2}, {"write", 1}});
  work.begin_step("read", 0);
  work.advance(1, 1);
  work.begin_step("write", 1);
  EXPECT_DOUBLE_EQ(work.share(), 0.25);
  work.advance(0.5, 2);
  EXPECT_DOUBLE_EQ(work.share(), 0.625);
}

TEST(WorkProgress, GivesATenthOfTheRestToAStepThatNobodyExpected) {
  WorkProgress work({{"read", 1}, {"write", 1}});
  work.begin_step("read", 0);
  work.begin_step("sum", 1);
  EXPECT_DOUBLE_EQ(work.share(), 0.5);
  work.advance(1, 2);
  EXPECT_DOUBLE_EQ(work.share(), 0.55);
  work.begin_step("write", 2);
  work.advance(1, 3);
  EXPECT_DOUBLE_EQ(work.share(), 1);
}

TEST(WorkProgress, KnowsNoTimeLeftBeforeSomethingIsDone) {
  WorkProgress work({{"read", 1}});
  work.begin_step("read", 100);
  work.advance(0.01, 105);
  EXPECT_FALSE(work.seconds_left());
  work.advance(0.25, 110);
  ASSERT_TRUE(work.seconds_left());
  EXPECT_DOUBLE_EQ(*work.seconds_left(), 30);
}

TEST(WorkProgress, GivesEachOfSeveralPartsTheSame) {
  WorkProgress work({{"read", 1}, {"write", 1}});
  work.begin_part(0, 2);
  work.begin_step("read", 0);
  work.advance(1, 1);
  EXPECT_DOUBLE_EQ(work.share(), 0.25);
  work.begin_part(1, 2);
  work.begin_step("read", 2);
  EXPECT_DOUBLE_EQ(work.share(), 0.5);
  work.begin_step("write", 3);
  work.advance(1, 4);
  EXPECT_DOUBLE_EQ(work.share(), 1);
}

// Steps in an odd order, twice and unknown ones, whose advances come late and get slower.
TEST(WorkProgress, NeverGoesBack) {
  WorkProgress work({{"a", 5}, {"b", 2}, {"c", 1}});
  double seconds = 0, share = 0, left = 1e9;
  for (std::size_t part = 0; part < 3; ++part) {
    work.begin_part(part, 3);
    for (const std::string name : {"b", "a", "b", "odd", "c", "c", "odd"}) {
      work.begin_step(name, seconds);
      for (const auto done : {0.1, 0.4, 0.3, 0.9, 0.8, 1.0, 0.95}) {
        seconds = seconds * 1.1 + 0.1;
        work.advance(done, seconds);
        EXPECT_GE(work.share(), share);
        EXPECT_LE(work.share(), 1);
        share = work.share();
        if (!work.seconds_left())
          continue;
        EXPECT_LE(*work.seconds_left(), left);
        EXPECT_GE(*work.seconds_left(), 0);
        left = *work.seconds_left();
      }
    }
  }
  EXPECT_LT(left, 1e9);
}

}  // namespace
}  // namespace tracefold::work_progress_test
