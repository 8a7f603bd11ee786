// The search for a way that leads to the end.
#include "pipeline/expand/tried_ways.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold::tried_ways_test {

using ::testing::ElementsAre;

using Way = std::vector<std::size_t>;

TEST(TriedWays, ChangesTheLastChoiceThatHasAnotherProcessLeft) {
  TriedWays ways;
  std::vector<Way> gone;
  std::uint64_t state = 0;
  do {
    Way way;
    for (const std::size_t processes : {2, 1, 3})
      way.push_back(ways.choose(++state, processes).value());
    gone.push_back(way);
  } while (ways.begin_next());

  EXPECT_THAT(gone, ElementsAre(Way{0, 0, 0}, Way{0, 0, 1}, Way{0, 0, 2}, Way{1, 0, 0},
                                Way{1, 0, 1}, Way{1, 0, 2}));
}

TEST(TriedWays, DoesNotGoOnFromAStateThatHasBeenReached) {
  constexpr std::uint64_t start = 1, left = 2, right = 3, both = 4;
  TriedWays ways;
  EXPECT_EQ(ways.choose(start, 2), 0u);
  EXPECT_EQ(ways.choose(left, 1), 0u);
  EXPECT_EQ(ways.choose(both, 1), 0u);

  ASSERT_TRUE(ways.begin_next());
  EXPECT_EQ(ways.choose(start, 2), 1u);
  EXPECT_EQ(ways.choose(right, 1), 0u);
  EXPECT_EQ(ways.choose(both, 1), std::nullopt);
  EXPECT_FALSE(ways.begin_next());
}

}  // namespace tracefold::tried_ways_test
