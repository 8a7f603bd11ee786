#include "base/find_least.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

namespace tracefold::find_least_test {

// The number that is found where all from `enough` on are enough, and how many were tried.
std::pair<std::optional<std::size_t>, int> find(std::size_t most, std::size_t enough) {
  int tries = 0;
  const auto found = find_least(most, [&](std::size_t number) {
    ++tries;
    return number >= enough;
  });
  return {found, tries};
}

TEST(FindLeast, TriesAllSmallNumbers) {
  for (std::size_t enough = 1; enough <= 32; ++enough)
    EXPECT_EQ(find(1000, enough).first, enough);
  EXPECT_EQ(find_least(32, [](std::size_t number) { return number == 7 || number > 20; }), 7u);
}

TEST(FindLeast, IsNotFarAboveTheLeastOfMany) {
  for (std::size_t enough = 33; enough <= 3000; ++enough) {
    const auto [found, tries] = find(3000, enough);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, enough);
    EXPECT_LE(*found, enough + enough / 16);
    EXPECT_LE(tries, 60);
  }
}

TEST(FindLeast, FindsNoneWhereNoneIsEnough) {
  EXPECT_EQ(find(5, 6).first, std::nullopt);
  EXPECT_EQ(find(3000, 3001).first, std::nullopt);
  EXPECT_EQ(find(3000, 3000).first, 3000u);
  EXPECT_EQ(find(0, 1).first, std::nullopt);
}

}  // namespace tracefold::find_least_test
