#include "pipeline/replay/slow_messages.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::slow_messages_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// In a ring, each waits for messages of both neighbours at once: slow where it or a neighbour is
// one of `slow`.
Replay::Transfers make_ring(std::uint32_t ranks, const std::vector<std::uint32_t>& slow) {
  Replay::Transfers out;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    std::uint64_t ticks = 10;
    for (const auto one : slow)
      if (one == rank || one == left || one == right)
        ticks = 1'000;
    out[{rank, {std::min(left, right), std::max(left, right)}}] = ticks;
  }
  return out;
}

TEST(SlowMessages, AreOfOneInARing) {
  EXPECT_THAT(find_slow_ends(make_ring(12, {5}), 12, 1'000'000), ElementsAre(5));
}

TEST(SlowMessages, AreOfNobodyWhereAllAreSlow) {
  EXPECT_THAT(find_slow_ends(make_ring(12, {}), 12, 1'000'000), IsEmpty());
}

// "Between 2 and 8" would be wrong: these have none with each other.
TEST(SlowMessages, AreOfNobodyWhereTwoHaveNothingInCommon) {
  EXPECT_THAT(find_slow_ends(make_ring(12, {2, 8}), 12, 1'000'000), IsEmpty());
}

TEST(SlowMessages, AreBetweenTwo) {
  auto transfers = make_ring(12, {});
  transfers[{3, {4}}] = transfers[{4, {3}}] = 5'000;
  EXPECT_THAT(find_slow_ends(transfers, 12, 1'000'000), ElementsAre(3, 4));
}

// All others take 6,000 together, but nobody waits for more than one of them.
TEST(SlowMessages, AreBetweenTwoThatHoldUpTheRun) {
  Replay::Transfers transfers;
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    for (const auto bit : {1u, 2u, 4u})
      transfers[{rank, {rank ^ bit}}] = 250;
  transfers[{2, {6}}] = transfers[{6, {2}}] = 2'000;
  EXPECT_THAT(find_slow_ends(transfers, 8, 2'500), ElementsAre(2, 6));
  EXPECT_THAT(find_slow_ends(transfers, 8, 6'000), IsEmpty());
}

TEST(SlowMessages, AreOfOneWithWhomAllHaveThem) {
  Replay::Transfers transfers;
  for (std::uint32_t rank = 1; rank < 8; ++rank)
    transfers[{rank, {0}}] = 100 + rank;
  EXPECT_THAT(find_slow_ends(transfers, 8, 1'000'000), ElementsAre(0));
}

TEST(SlowMessages, AreUnknownWhereMostTimeIsWithoutMessages) {
  auto transfers = make_ring(12, {5});
  transfers[{0, {}}] = 100'000;
  EXPECT_THAT(find_slow_ends(transfers, 12, 1'000'000), IsEmpty());
}

}  // namespace tracefold::slow_messages_test
