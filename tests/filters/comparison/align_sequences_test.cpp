#include "filters/comparison/align_sequences.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace tracefold::align_sequences_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using Numbers = std::vector<std::uint32_t>;

// By dynamic programming.
std::size_t count_common(const Numbers& a, const Numbers& b) {
  std::vector<std::vector<std::size_t>> most(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t k = 1; k <= b.size(); ++k)
      most[i][k] =
          a[i - 1] == b[k - 1] ? most[i - 1][k - 1] + 1 : std::max(most[i - 1][k], most[i][k - 1]);
  return most[a.size()][b.size()];
}

void expect_common(const Numbers& a, const Numbers& b, const SequenceAlignment& found) {
  for (std::size_t k = 0; k < found.common.size(); ++k) {
    const auto [x, y] = found.common[k];
    ASSERT_LT(x, a.size());
    ASSERT_LT(y, b.size());
    EXPECT_EQ(a[x], b[y]);
    if (k > 0) {
      EXPECT_GT(x, found.common[k - 1].first);
      EXPECT_GT(y, found.common[k - 1].second);
    }
  }
}

TEST(AlignSequences, FindsWhatIsInBoth) {
  EXPECT_THAT(align_sequences(Numbers{1, 2, 3}, Numbers{1, 9, 3}).common,
              ElementsAre(Pair(0, 0), Pair(2, 2)));
  EXPECT_THAT(align_sequences(Numbers{}, Numbers{1}).common, IsEmpty());
  EXPECT_THAT(align_sequences(Numbers{1, 2}, Numbers{3, 4}).common, IsEmpty());
}

TEST(AlignSequences, FindsAsMuchAsThereIs) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Numbers a(random() % 30), b(random() % 30);
    for (auto* numbers : {&a, &b})
      for (auto& one : *numbers)
        one = static_cast<std::uint32_t>(random() % 4);
    const auto found = align_sequences(a, b);
    expect_common(a, b, found);
    EXPECT_EQ(found.common.size(), count_common(a, b));
    EXPECT_FALSE(found.is_cut);
  }
}

TEST(AlignSequences, SaysWhereTooMuchDiffers) {
  std::mt19937 random(4);
  Numbers a(20000), b(20000);
  for (auto* numbers : {&a, &b})
    for (auto& one : *numbers)
      one = static_cast<std::uint32_t>(random() % 50);
  const auto found = align_sequences(a, b);
  EXPECT_TRUE(found.is_cut);
  expect_common(a, b, found);
  EXPECT_GT(found.common.size(), 2000u) << "what is left is aligned as well as that goes";
}

}  // namespace tracefold::align_sequences_test
