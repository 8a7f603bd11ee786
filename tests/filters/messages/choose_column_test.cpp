#include "filters/messages/choose_column.hpp"

#include "model/messages/operation.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <numeric>

namespace tracefold::choose_column_test {

using ::testing::Contains;
using ::testing::ElementsAre;

// The column of what `value` gives for all of P ranks.
std::string choose(std::uint32_t size, bool are_ranks,
                   const std::function<std::uint64_t(std::uint32_t)>& value) {
  std::vector<std::uint32_t> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0u);
  std::vector<std::uint64_t> values;
  for (auto rank : ranks)
    values.push_back(value(rank));
  RankLists lists;
  return column_text(ColumnChooser(size, {}).choose(ranks, values, are_ranks), lists);
}

TEST(ChooseColumn, FindsTheFormulasOfPartners) {
  EXPECT_EQ(choose(16, true, [](auto) { return 3; }), "3");
  EXPECT_EQ(choose(16, true, [](auto r) { return (r + 15) % 16; }), "+15");
  EXPECT_EQ(choose(16, true, [](auto r) { return r ^ 5; }), "^5");
  // One to the right in a row of four, from the last one to the first.
  EXPECT_EQ(choose(16, true, [](auto r) { return r / 4 * 4 + (r + 1) % 4; }), "torus 4 4 0 1");
  const auto move = [](auto r) {
    return (r / 12 + 1) % 2 * 12 + (r / 4 + 1) % 3 * 4 + (r + 3) % 4;
  };
  EXPECT_EQ(choose(24, true, [&](auto r) { return move(r); }), "torus 2 3 4 1 1 3");
}

// NPB CG: a square grid of processes, or one of n x 2n.
TEST(ChooseColumn, FindsTheTransposesOfCg) {
  EXPECT_EQ(choose(16, true, [](auto r) { return r % 4 * 4 + r / 4; }), "transpose 4 1");
  EXPECT_EQ(choose(8, true, [](auto r) { return 2 * (r / 2 % 2 * 2 + r / 2 / 2) + r % 2; }),
            "transpose 2 2");
}

TEST(ChooseColumn, FindsLinesOfOtherValues) {
  EXPECT_EQ(choose(8, false, [](auto r) { return 100 + 4 * r; }), "linear 100 4");
  EXPECT_EQ(choose(8, false, [](auto r) { return 100 - 4 * r; }), "linear 100 -4");
}

TEST(ChooseColumn, MakesATableOfTheRest) {
  EXPECT_EQ(choose(4, false, [](auto r) { return r % 2 ? 9 : 5; }), "values #0: 5 9 5 9");
  EXPECT_EQ(choose(4, true, [](auto r) { return r == 0 ? unknown_value : 0; }),
            "values #0: 4294967280 0 0 0");
  EXPECT_EQ(choose(16, true, [](auto r) { return r % 4 == 0 ? unknown_value : 0; }),
            "0 @ 2 1 4 4 3 1; 4294967280 @ 1 0 4 4");
  EXPECT_EQ(choose(7, true, [](auto r) { return r * r % 7; }), "values #0: 0 1 4 2 2 4 1");
}

// Whatever is chosen gives the values back.
TEST(ChooseColumn, LosesNothing) {
  for (std::uint32_t size : {1u, 2u, 6u, 16u, 64u})
    for (std::uint32_t a = 0; a < 8; ++a)
      for (std::uint32_t b = 0; b < 5; ++b) {
        std::vector<std::uint32_t> ranks;
        std::vector<std::uint64_t> values;
        for (std::uint32_t rank = b % size; rank < size; rank += 1 + b % 3) {
          ranks.push_back(rank);
          values.push_back((rank * a ^ b) % size);
        }
        for (bool are_ranks : {true, false}) {
          const auto column = ColumnChooser(size, {}).choose(ranks, values, are_ranks);
          RankLists lists;
          const auto text = column_text(column, lists);
          EXPECT_EQ(parse_column(text, size, lists), column);
          for (std::size_t k = 0; k < ranks.size(); ++k)
            ASSERT_EQ(find_value(column, ranks[k], size), values[k]) << text;
        }
      }
}

TEST(ChooseColumn, TriesGridsOfTheTraceFirst) {
  EXPECT_THAT(list_grids(24, {{4, 6}, {5, 5}}).front(), ElementsAre(4, 6));
  EXPECT_THAT(list_grids(8, {}),
              ElementsAre(ElementsAre(2, 4), ElementsAre(4, 2), ElementsAre(2, 2, 2)));
  EXPECT_TRUE(list_grids(7, {}).empty());
  EXPECT_TRUE(list_grids(0, {}).empty());
}

}  // namespace tracefold::choose_column_test
