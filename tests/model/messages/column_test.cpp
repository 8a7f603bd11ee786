#include "model/messages/column.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

namespace tracefold::column_test {

std::vector<std::uint64_t> values_of(const char* text, std::uint32_t size) {
  const auto column = parse_column(text, size);
  std::vector<std::uint64_t> values;
  for (std::uint32_t rank = 0; rank < size; ++rank)
    values.push_back(find_value(column, rank, size));
  return values;
}

using ::testing::ElementsAre;

TEST(Column, EvaluatesEachForm) {
  EXPECT_THAT(values_of("7", 4), ElementsAre(7, 7, 7, 7));
  EXPECT_THAT(values_of("+3", 4), ElementsAre(3, 0, 1, 2));
  EXPECT_THAT(values_of("^1", 4), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(values_of("torus 2 3 1 1", 6), ElementsAre(4, 5, 3, 1, 2, 0));
  EXPECT_THAT(values_of("transpose 2 1", 4), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(values_of("transpose 2 2", 8), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(values_of("linear 10 -2", 4), ElementsAre(10, 8, 6, 4));
  EXPECT_THAT(values_of("5 @ 1 0 2 2; 9 @ 1 1 2 2", 4), ElementsAre(5, 9, 5, 9));
}

TEST(Column, IsWrittenAsItIsRead) {
  RankLists lists;
  for (const char* text : {"7", "+3", "^1", "torus 2 3 1 1", "transpose 3 2", "linear 10 -2",
                           "5 @ 1 0 6 1", "5 @ 1 0 3 2; 777 @ 1 1 3 2", "18446744073709551615"})
    EXPECT_EQ(column_text(parse_column(text, 6), lists), text);
  EXPECT_TRUE(lists.empty());
}

TEST(Column, SharesTheRanksOfItsTableWithOthers) {
  RankLists lists;
  const auto column = parse_column("values 1 0 5 1: 12 29 37 50 18", 6);
  EXPECT_EQ(column_text(column, lists), "values #0: 12 29 37 50 18");
  EXPECT_EQ(column_text(parse_column("values 1 0 5 1: 5 13 32 38 52", 6), lists),
            "values #0: 5 13 32 38 52");
  EXPECT_THAT(lists, ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
  EXPECT_EQ(parse_column("values #0: 12 29 37 50 18", 6, lists), column);

  const auto steps = parse_column("values 1 0 6 1: 5 0*5+8", 6);
  EXPECT_EQ(find_value(steps, 3, 6), 16u);
  EXPECT_EQ(column_text(steps, lists), "values #1: 5 0*5+8");
  EXPECT_EQ(find_value(parse_column("values 1 0 4 1: 9*4-3", 4), 3, 4), 0u);
  for (const char* text :
       {"values 1 0 4 1: 9*5-3", "values 1 0 4 1: 9*4", "values 1 0 4 1: *4+1",
        "values 1 0 4 1: 1*0+1 1 2 3 4", "values 1 0 4 1: 1*99999999999+1", "values 1 0 4 1: 1*4+"})
    EXPECT_THROW(parse_column(text, 6), Error) << text;

  for (const char* text : {"values #1: 12 29 37 50 18", "values #0: 12", "values #: 1",
                           "values #-1: 12 29 37 50 18", "values #0"})
    EXPECT_THROW(parse_column(text, 6, lists), Error) << text;
}

TEST(Column, RefusesWhatMakesNoSense) {
  for (const char* text : {"",
                           "x",
                           "+6",
                           "+-1",
                           "^6",
                           "+1 2",
                           "torus 2 3 1",
                           "torus 2 2 1 1",
                           "torus 2 3 2 0",
                           "torus 6 0",
                           "torus 4294967296 4294967296 0 0",
                           "transpose 4 1",
                           "transpose 0 1",
                           "transpose 2",
                           "linear 1",
                           "5 @ 1 0 4 2",
                           "5 @ 0 1; 6 @ 0 1",
                           "5 @ ",
                           "values 1 0 3 1: 1 2",
                           "values 1 0 7 1: 1 2 3 4 5 6 7",
                           "values 1",
                           "@ 0 1",
                           "5 5 @ 0 1"})
    EXPECT_THROW(parse_column(text, 6), Error) << text;
}

TEST(Column, SaysThatARankIsLeftOut) {
  const auto column = parse_column("5 @ 0 1", 6);
  EXPECT_EQ(find_value(column, 1, 6), 5u);
  EXPECT_THROW(find_value(column, 2, 6), Error);
}

}  // namespace tracefold::column_test
