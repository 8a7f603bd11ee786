#include "model/messages/rank_list.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::rank_list_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string text_of(std::vector<std::uint32_t> ranks) {
  return rank_list_text(make_rank_list(ranks));
}

// signatures 3.1: <dimension start (length stride)...>.
TEST(RankList, WritesThePapersExample) {
  EXPECT_EQ(text_of({5, 6, 9, 10}), "2 5 2 4 2 1");
  EXPECT_THAT(list_ranks(parse_rank_list("2 5 2 4 2 1"), 16), ElementsAre(5, 6, 9, 10));
}

TEST(RankList, WritesSeries) {
  EXPECT_EQ(text_of({0, 1, 2, 3, 4}), "1 0 5 1");
  EXPECT_EQ(text_of({1, 4, 7}), "1 1 3 3");
  EXPECT_EQ(text_of({7}), "0 7");
  EXPECT_EQ(text_of({0, 5, 6, 7}), "0 0, 1 5 3 1");
  EXPECT_EQ(text_of({}), "");
}

TEST(RankList, JoinsBlocksInThreeDimensions) {
  std::vector<std::uint32_t> inside;  // of a 4 x 4 x 4 grid
  for (std::uint32_t z : {1, 2})
    for (std::uint32_t y : {1, 2})
      for (std::uint32_t x : {1, 2})
        inside.push_back(16 * z + 4 * y + x);

  EXPECT_EQ(text_of(inside), "3 21 2 16 2 4 2 1");
}

TEST(RankList, GivesAnyRanksBack) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> ranks;
    const auto sparse = random() % 6 + 1;
    for (std::uint32_t rank = 0; rank < 200; ++rank)
      if (random() % sparse == 0 || rank % sparse == 0)
        ranks.push_back(rank);

    const auto list = parse_rank_list(text_of(ranks));
    ASSERT_EQ(list_ranks(list, 200), ranks) << text_of(ranks);
  }
}

TEST(RankList, RefusesTextThatIsNone) {
  for (const char* text : {"x", "1", "1 2", "1 2 3", "0 1 2", "9 0", "1 0 4 1,", "-1 0", "1  0 4 1",
                           "0 0, ", "0 99999999999"})
    EXPECT_THROW(parse_rank_list(text), Error) << text;
}

TEST(RankList, BoundsWhatItNames) {
  for (const char* text : {"0 16", "1 0 17 1", "1 15 2 1", "2 0 4 4 5 1", "1 0 0 1",
                           "3 0 4294967295 0 4294967295 0 4294967295 0", "1 0 2 0", "0 3, 0 3"})
    EXPECT_THROW(list_ranks(parse_rank_list(text), 16), Error) << text;
  EXPECT_THAT(list_ranks({}, 16), IsEmpty());
}

}  // namespace tracefold::rank_list_test
