#include "base/error.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace tracefold::error_test {

using ::testing::ElementsAre;

TEST(Error, ComposesPathFactAndHint) {
  EXPECT_STREQ(Error(ErrorKind::input, "is broken").what(), "is broken");
  EXPECT_STREQ(Error(ErrorKind::input, "is broken").in("a.otf2").what(), "a.otf2: is broken");
  EXPECT_STREQ(Error(ErrorKind::input, "is broken").in("a.otf2").hint("mend it").what(),
               "a.otf2: is broken (mend it)");
}

TEST(Error, KeepsTheFirstPathAndHint) {
  Error problem(ErrorKind::output, "is full");
  problem.in("a").hint("x");
  problem.in("b").hint("y");
  EXPECT_STREQ(problem.what(), "a: is full (x)");
}

TEST(Error, KnowsTheExitStatus) {
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::no, "").kind()), 1);
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::usage, "").kind()), 2);
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::input, "").kind()), 3);
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::output, "").kind()), 4);
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::interrupted, "").kind()), 130);
}

TEST(Diagnostics, KeepsEachKindOnceWithItsFirstPlaceAndCounts) {
  Diagnostics diagnostics;
  diagnostics.warn("late", "b");
  diagnostics.warn("early");
  diagnostics.warn("late", "a", 4);
  diagnostics.warn("late", "c");
  EXPECT_THAT(diagnostics.warnings(),
              ElementsAre("early", "late: 6 records in 3 places, first in a"));
}

TEST(Diagnostics, CountsRecordsOfAPlaceAndPlaces) {
  Diagnostics diagnostics;
  diagnostics.warn("missing", "7.evt");
  diagnostics.warn("missing", "5.evt");
  diagnostics.warn("odd", "5.evt", 2);
  diagnostics.warn("read again", "5.evt", 2);
  diagnostics.warn("read again", "5.evt", 2);
  EXPECT_THAT(diagnostics.warnings(),
              ElementsAre("missing: 5.evt and 1 more", "odd: 2 records in 5.evt",
                          "read again: 2 records in 5.evt"));
}

TEST(Diagnostics, SaysTheSameWhateverThreadComesFirst) {
  Diagnostics diagnostics;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&diagnostics, t] {
        for (int i = 0; i < 1000; ++i)
          diagnostics.warn("odd", "location " + std::to_string(t));
      });
  }

  EXPECT_THAT(diagnostics.warnings(), ElementsAre("odd: location 0 and 7 more"));
}

TEST(Diagnostics, KeepsNotesInOrder) {
  Diagnostics diagnostics;
  diagnostics.note("b");
  diagnostics.note("a");
  EXPECT_THAT(diagnostics.notes(), ElementsAre("b", "a"));
}

}  // namespace tracefold::error_test
