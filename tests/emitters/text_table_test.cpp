#include "emitters/text_table.hpp"
#include "emitters/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tracefold::text_table_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Lines may have so many columns until the end of the test.
class TextTables : public ::testing::Test {
 protected:
  ~TextTables() override { set_text_layout({}); }

  static std::size_t find_widest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);)
      widest = std::max(widest, measure_shown(line));
    return widest;
  }

  const TableRows rows_{{"count", "time", "function", "members"},
                        {"12", "3.45 ms", "HPCCG(const HPC_Sparse_Matrix&, double*)", "0-6:2,9"},
                        {"1 234", "0.12 s", "main", "1,3,5,7,11,13,17,19,23,29,31,37,41,43,47"}};
};

TEST_F(TextTables, AreAsWideAsTheirCellsWhereNothingLimitsThem) {
  const auto table = text_table(rows_);
  EXPECT_THAT(table,
              HasSubstr("   12  3.45 ms  HPCCG(const HPC_Sparse_Matrix&, double*)  0-6:2,9"));
  EXPECT_THAT(table, HasSubstr("1,3,5,7,11,13,17,19,23,29,31,37,41,43,47\n"));
}

TEST_F(TextTables, ShortenNamesInTheMiddleAndListsAtTheEnd) {
  set_text_layout({.columns = 72});
  const auto table = text_table(rows_);
  EXPECT_LE(find_widest_line(table), 72u);
  EXPECT_THAT(table, HasSubstr("HPCCG(…)"));
  EXPECT_THAT(table, HasSubstr("1,3,5,7,11,13,"));
  EXPECT_THAT(table, Not(HasSubstr("47")));
  EXPECT_THAT(table, Not(HasSubstr("no room")));
}

TEST_F(TextTables, CutSentencesAtTheEndOfAWord) {
  set_text_layout({.columns = 40});
  const auto table = text_table(
      {{"processes", "name"}, {"6", "main threads of all ranks but the first and last"}});
  EXPECT_THAT(table, HasSubstr("        6  main threads of all ranks…\n"));
}

TEST_F(TextTables, LeaveOutColumnsInTheOrderOfTheShapeAndTellIt) {
  set_text_layout({.columns = 44, .remedy = "--wide"});
  const auto table = text_table(rows_, {.less_important = {"members", "time"}});
  EXPECT_LE(find_widest_line(table), 44u);
  EXPECT_THAT(table, HasSubstr("no room for members (--wide)\n"));
  EXPECT_THAT(table, HasSubstr("3.45 ms"));
  EXPECT_THAT(table, Not(HasSubstr("0-6:2")));
}

TEST_F(TextTables, NeverCutNumbers) {
  set_text_layout({.columns = 10});
  const auto table = text_table({{"a", "b"}, {"1 234 567", "12 345 678"}});
  EXPECT_THAT(table, HasSubstr("1 234 567  12 345 678\n"));
}

TEST_F(TextTables, HaveBoldHeadingsThatTakeNoRoomWhereThereAreStyles) {
  const auto plain = text_table(rows_);
  set_text_layout({.has_styles = true});
  const auto styled = text_table(rows_);
  EXPECT_THAT(styled, HasSubstr("\x1b[1mcount"));
  EXPECT_EQ(find_widest_line(styled), find_widest_line(plain));
}

TEST_F(TextTables, TellWhetherALineHoldsThem) {
  EXPECT_TRUE(fits_line(rows_));
  set_text_layout({.columns = 72});
  EXPECT_FALSE(fits_line(rows_));
}

}  // namespace tracefold::text_table_test
