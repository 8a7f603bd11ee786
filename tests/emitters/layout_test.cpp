#include "emitters/layout.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tracefold::layout_test {

class Layout : public ::testing::Test {
 protected:
  ~Layout() override { set_text_layout({}); }
};

TEST_F(Layout, LinesAreWholeWhereNothingLimitsThem) {
  const std::string text(200, 'x');
  EXPECT_EQ(wrap_lines(text + " y\n"), text + " y\n");
}

TEST_F(Layout, LongLinesGoOnIndentedInFurtherOnes) {
  set_text_layout({.columns = 12});
  EXPECT_EQ(wrap_lines("one two three four\nshort\n"), "one two\n  three four\nshort\n");
  EXPECT_EQ(wrap_lines("  one two three"), "  one two\n    three");
}

TEST_F(Layout, WordsStayWholeHoweverLongTheyAre) {
  set_text_layout({.columns = 8});
  EXPECT_EQ(wrap_lines("a verylongword b\n"), "a\n  verylongword\n  b\n");
  EXPECT_EQ(wrap_lines("\n\nverylongword\n"), "\n\nverylongword\n");
}

TEST_F(Layout, NumbersStayWithTheirUnits) {
  set_text_layout({.columns = 10});
  EXPECT_EQ(wrap_lines("it is 25 % of it"), "it is 25 %\n  of it");
  EXPECT_EQ(wrap_lines("it was 25 % of it"), "it was\n  25 % of\n  it");
  EXPECT_EQ(wrap_lines("some (25 %): b"), "some\n  (25 %):\n  b");
  EXPECT_EQ(wrap_lines("ab 1 234 567, b"), "ab\n  1 234 567,\n  b");
  EXPECT_EQ(wrap_lines("1234 7.7 MiB b"), "1234\n  7.7 MiB\n  b");
  EXPECT_EQ(wrap_lines("abcdefg 1 1234"), "abcdefg 1\n  1234") << "no group of digits";
  EXPECT_EQ(wrap_lines("abcdefg 1 sand"), "abcdefg 1\n  sand");
}

TEST_F(Layout, StylesTakeNoRoom) {
  set_text_layout({.columns = 9, .has_styles = true});
  const auto good = apply_style("good", TextStyle::good);
  EXPECT_EQ(good, "\x1b[32mgood\x1b[0m");
  EXPECT_EQ(measure_shown(good), 4u);
  EXPECT_EQ(wrap_lines(good + " äöüä"), good + " äöüä");
}

TEST_F(Layout, HasNoStylesWhereItWasToldNone) {
  EXPECT_EQ(apply_style("poor", TextStyle::poor), "poor");
}

TEST_F(Layout, IsTheOneBeforeAgainWhereSomethingIsThrown) {
  set_text_layout({.columns = 72, .remedy = "--wide"});
  try {
    const TextLayoutScope scope({});
    EXPECT_EQ(text_layout().columns, 0u);
    throw std::runtime_error("no room");
  } catch (const std::runtime_error&) {}
  EXPECT_EQ(text_layout().columns, 72u);
  EXPECT_EQ(text_layout().remedy, "--wide");
}

}  // namespace tracefold::layout_test
