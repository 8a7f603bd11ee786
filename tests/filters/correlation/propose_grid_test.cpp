#include "filters/correlation/propose_grid.hpp"

#include <gmock/gmock.h>

namespace tracefold::correlation::propose_grid_test {

using ::testing::ElementsAre;

// Everybody sends to the neighbours along each axis, and, with `diagonals`, to all around.
Neighbours make_neighbours(const std::vector<GridAxis>& axes, bool diagonals) {
  std::size_t ranks = 1;
  for (const auto& axis : axes)
    ranks *= axis.size;

  Neighbours out;
  std::size_t offsets = 1;
  for (std::size_t a = 0; a < axes.size(); ++a)
    offsets *= 3;

  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t offset = 0; offset < offsets; ++offset) {
      std::size_t to = 0;
      std::size_t stride = 1;
      std::size_t steps = 0;
      auto left = rank;
      auto code = offset;
      bool inside = true;

      for (auto a = axes.size(); a-- > 0; code /= 3) {
        const auto size = axes[a].size;
        const auto place = left % size + code % 3;  // one more than where it is
        steps += code % 3 != 1;
        inside &= axes[a].periodic || (place >= 1 && place <= size);
        to += (place + size - 1) % size * stride;
        stride *= size;
        left /= size;
      }
      if (inside && to != rank && (diagonals || steps == 1))
        out.emplace(rank, to);
    }
  return out;
}

void expect_found(const std::vector<GridAxis>& axes, bool diagonals) {
  std::size_t ranks = 1;
  for (const auto& axis : axes)
    ranks *= axis.size;
  EXPECT_EQ(propose_grid(ranks, make_neighbours(axes, diagonals)), axes);
}

TEST(ProposeGrid, FindsGridsOfNeighbours) {
  for (bool periodic : {false, true})
    for (bool diagonals : {false, true}) {
      expect_found({{8, periodic}, {8, periodic}}, diagonals);
      expect_found({{4, periodic}, {5, periodic}}, diagonals);
      expect_found({{4, periodic}, {5, periodic}, {4, periodic}}, diagonals);
      expect_found({{16, periodic}}, diagonals);
    }
  expect_found({{4, false}, {8, true}}, false);
  expect_found({{3, false}, {4, false}}, true);
  expect_found({{3, false}, {3, false}, {3, false}}, true);
}

TEST(ProposeGrid, TakesMessagesInOneDirection) {
  Neighbours neighbours;
  for (std::uint64_t rank = 0; rank < 64; ++rank) {
    if (rank % 8 != 7)
      neighbours.emplace(rank, rank + 1);
    if (rank < 56)
      neighbours.emplace(rank + 8, rank);
  }
  EXPECT_THAT(propose_grid(64, neighbours), ElementsAre(GridAxis{8, false}, GridAxis{8, false}));
}

TEST(ProposeGrid, IsOneAxisWhereThereIsNoGrid) {
  EXPECT_THAT(propose_grid(10, {}), ElementsAre(GridAxis{10, false}));

  Neighbours to_the_first;
  for (std::uint64_t rank = 1; rank < 10; ++rank)
    to_the_first.emplace(rank, 0);
  EXPECT_THAT(propose_grid(10, to_the_first), ElementsAre(GridAxis{10, false}));

  Neighbours everybody;
  for (std::uint64_t from = 0; from < 12; ++from)
    for (std::uint64_t to = 0; to < 12; ++to)
      if (from != to)
        everybody.emplace(from, to);
  EXPECT_EQ(propose_grid(12, everybody).size(), 1u);
}

}  // namespace tracefold::correlation::propose_grid_test
