#include "filters/groups/name_rank_set.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

namespace tracefold::name_rank_set_test {

namespace {

// A grid whose ranks go row by row; sizes below 0 are periodic axes.
struct MadeGrid {
  explicit MadeGrid(const std::vector<int>& sizes) {
    std::size_t count = 1;
    std::vector<GridAxis> axes;
    for (auto size : sizes) {
      axes.push_back({static_cast<std::uint64_t>(size < 0 ? -size : size), size < 0});
      count *= axes.back().size;
    }
    grid = fill_grid(axes, count);
    ranks = count;
  }

  std::vector<std::uint64_t> at(std::size_t rank) const {
    const auto width = static_cast<std::ptrdiff_t>(grid.axes.size());
    const auto begin = grid.coordinates.begin() + static_cast<std::ptrdiff_t>(rank) * width;
    return {begin, begin + width};
  }
  // The name of all ranks for which this holds.
  std::string name(const std::function<bool(const std::vector<std::uint64_t>&)>& holds) const {
    RankSet chosen;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (holds(at(rank)))
        chosen.push_back(rank);
    return GridPositions(grid).name(chosen);
  }
  // The same by at how many ends of axes they are.
  std::string name_by_ends(const std::set<std::size_t>& ends) const {
    return name([&](const auto& at) {
      std::size_t count = 0;
      for (std::size_t a = 0; a < at.size(); ++a)
        count += !grid.axes[a].periodic && (at[a] == 0 || at[a] + 1 == grid.axes[a].size);
      return ends.contains(count);
    });
  }

  RankGrid grid;
  std::size_t ranks = 0;
};

}  // namespace

TEST(GridPositions, NamesKindsOfPositionsInTwoDimensions) {
  const MadeGrid grid({8, 8});
  EXPECT_EQ(grid.name_by_ends({2}), "corner of the grid");
  EXPECT_EQ(grid.name_by_ends({1}), "edge of the grid");
  EXPECT_EQ(grid.name_by_ends({0}), "inside of the grid");
  EXPECT_EQ(grid.name_by_ends({1, 2}), "border of the grid");
  EXPECT_EQ(grid.name_by_ends({0, 1}), "grid without its corners");
  EXPECT_EQ(grid.name_by_ends({0, 2}), "grid without its edges");
}

TEST(GridPositions, NamesSidesFromNorthToSouthAndFromWestToEast) {
  const GridPositions positions(MadeGrid({4, 5}).grid);
  EXPECT_EQ(positions.name({0}), "north-west corner");
  EXPECT_EQ(positions.name({4}), "north-east corner");
  EXPECT_EQ(positions.name({15}), "south-west corner");
  EXPECT_EQ(positions.name({19}), "south-east corner");
  EXPECT_EQ(positions.name({0, 19}), "corners north-west and south-east");
  EXPECT_EQ(positions.name({1, 2, 3}), "edge north");
  EXPECT_EQ(positions.name({5, 10}), "edge west");
  EXPECT_EQ(positions.name({9, 14}), "edge east");
  EXPECT_EQ(positions.name({1, 2, 3, 16, 17, 18}), "edges north and south");
  EXPECT_EQ(positions.name({1, 2, 3, 5, 9, 10, 14}), "all edges but south");
  EXPECT_EQ(positions.name({0, 4, 15}), "all corners but south-east");
  EXPECT_EQ(positions.name({0, 1, 2, 3, 4}), "north row");
  EXPECT_EQ(positions.name({4, 9, 14, 19}), "east column");
  EXPECT_EQ(positions.name({0, 4, 5, 9, 10, 14, 15, 19}), "west and east columns");
  EXPECT_EQ(positions.name({5, 6, 7, 8, 9, 10, 11, 12, 13, 14}), "all rows but north and south");
  EXPECT_EQ(positions.name({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}),
            "all rows but south");
  EXPECT_EQ(positions.name({0, 1, 2, 3}), "corner north-west and edge north");
  EXPECT_EQ(positions.name({4, 15, 19}), "corner of the grid but rank 0");
}

TEST(GridPositions, HasNoNameForAPartOfAPosition) {
  const GridPositions positions(MadeGrid({4, 5}).grid);
  EXPECT_EQ(positions.name({1, 2}), "") << "the edge has another rank";
  EXPECT_EQ(positions.name({1, 2, 3, 6}), "") << "inside there are others";
  EXPECT_EQ(positions.name({0, 1, 2, 3, 4, 5}), "");
  EXPECT_EQ(positions.name({99}), "") << "no such rank";
}

TEST(GridPositions, NamesFacesOfThreeDimensions) {
  const MadeGrid grid({3, 4, 5});
  EXPECT_EQ(grid.name_by_ends({3}), "corner of the grid");
  EXPECT_EQ(grid.name_by_ends({2}), "edge of the grid");
  EXPECT_EQ(grid.name_by_ends({1}), "face of the grid");
  EXPECT_EQ(grid.name_by_ends({0}), "inside of the grid");
  EXPECT_EQ(grid.name_by_ends({2, 3}), "corners and edges of the grid");
  EXPECT_EQ(grid.name_by_ends({0, 1}), "faces and inside of the grid");
  EXPECT_EQ(grid.name_by_ends({1, 2, 3}), "border of the grid");
  EXPECT_EQ(grid.name([](const auto& at) { return at[0] == 0; }), "top plane");
  EXPECT_EQ(grid.name([](const auto& at) { return at[1] != 3; }), "all planes but south");
  EXPECT_EQ(grid.name([](const auto& at) {
    return at[0] == 2 && at[1] > 0 && at[1] < 3 && at[2] > 0 && at[2] < 4;
  }),
            "face bottom");
  EXPECT_EQ(
      grid.name([](const auto& at) { return at[0] == 0 && at[1] == 0 && at[2] > 0 && at[2] < 4; }),
      "edge top-north");
  EXPECT_EQ(GridPositions(grid.grid).name({0}), "top-north-west corner");
}

TEST(GridPositions, KnowsOnlyKindsOfPositionsInFourDimensions) {
  const MadeGrid grid({3, 3, 3, 3});
  EXPECT_EQ(grid.name_by_ends({4}), "corner of the grid");
  EXPECT_EQ(grid.name_by_ends({0}), "inside of the grid");
  EXPECT_EQ(grid.name_by_ends({1, 2, 3, 4}), "border of the grid");
  EXPECT_EQ(grid.name_by_ends({3}), "");
  EXPECT_EQ(GridPositions(grid.grid).name({0}), "");
}

TEST(GridPositions, FindsNoEdgesWhereAnAxisIsPeriodic) {
  const MadeGrid torus({-8, -8});
  for (std::size_t ends : {0u, 1u, 2u})
    EXPECT_EQ(torus.name_by_ends({ends}), "");
  EXPECT_EQ(torus.name([](const auto& at) { return at[0] == 0; }), "");

  const MadeGrid tube({4, -8});
  EXPECT_EQ(tube.name([](const auto& at) { return at[0] == 0; }), "edge north");
  EXPECT_EQ(tube.name([](const auto& at) { return at[0] == 0 || at[0] == 3; }), "edge of the grid");
  EXPECT_EQ(tube.name_by_ends({0}), "inside of the grid");
  EXPECT_EQ(tube.name([](const auto& at) { return at[1] == 0; }), "");
}

TEST(GridPositions, LooksAtAxesWithMoreThanOneRank) {
  EXPECT_EQ(MadeGrid({4, 1, 4}).name_by_ends({3}), "corner of the grid");
  EXPECT_EQ(MadeGrid({1, 9}).name_by_ends({1}), "") << "the order of ranks says it";
  EXPECT_EQ(GridPositions(MadeGrid({2, 2}).grid).name({0, 3}), "") << "every rank is a corner";
  EXPECT_EQ(MadeGrid({2, 6}).name_by_ends({1}), "edge of the grid");
  EXPECT_EQ(MadeGrid({2, 6}).name_by_ends({2}), "corner of the grid");
}

// Whatever is named: another set has another name.
TEST(GridPositions, GivesEachNameToOneSetOnly) {
  for (const auto& sizes : {std::vector{3, 3}, {2, 4}, {4, -3}, {2, 2, 3}}) {
    const MadeGrid made(sizes);
    const GridPositions positions(made.grid);
    std::set<std::string> names;
    for (std::uint64_t bits = 1; bits + 1 < std::uint64_t{1} << made.ranks; ++bits) {
      RankSet ranks;
      for (std::size_t rank = 0; rank < made.ranks; ++rank)
        if (bits >> rank & 1)
          ranks.push_back(rank);
      const auto name = positions.name(ranks);
      if (!name.empty()) {
        EXPECT_TRUE(names.insert(name).second) << name;
      }
    }
    EXPECT_FALSE(names.empty());
  }
}

TEST(NameByOrder, TellsFirstAndLastRanks) {
  EXPECT_EQ(name_by_order({0}, 8), "rank 0");
  EXPECT_EQ(name_by_order({7}, 8), "last rank");
  EXPECT_EQ(name_by_order({0, 7}, 8), "first and last rank");
  EXPECT_EQ(name_by_order({1, 2, 3, 4, 5, 6}, 8), "all ranks but the first and last");
  EXPECT_EQ(name_by_order({1, 2, 3, 4, 5, 6, 7}, 8), "all ranks but 0");
  EXPECT_EQ(name_by_order({0, 1, 2, 3, 4, 5, 6}, 8), "all ranks but the last");
  EXPECT_EQ(name_by_order({3}, 8), "");
  EXPECT_EQ(name_by_order({1, 2}, 8), "");
  EXPECT_EQ(name_by_order({1}, 2), "");
}

TEST(NameByOrder, TellsEvenAndOddRanks) {
  EXPECT_EQ(name_by_order({0, 2, 4, 6}, 8), "even ranks");
  EXPECT_EQ(name_by_order({1, 3, 5, 7}, 8), "odd ranks");
  EXPECT_EQ(name_by_order({2, 4, 6}, 8), "even ranks but 0");
  EXPECT_EQ(name_by_order({0, 2, 4}, 8), "");
  EXPECT_EQ(name_by_order({2, 4, 7}, 8), "");
  EXPECT_EQ(name_by_order({0, 2}, 3), "first and last rank");
}

TEST(NameByOrder, KnowsNoLastRankOnARing) {
  EXPECT_EQ(name_by_order({7}, 8, true), "");
  EXPECT_EQ(name_by_order({0, 7}, 8, true), "");
  EXPECT_EQ(name_by_order({0}, 8, true), "rank 0");
  EXPECT_EQ(name_by_order({1, 2, 3, 4, 5, 6, 7}, 8, true), "all ranks but 0");
}

TEST(NameByNodes, TellsTheFirstRankOfEachNode) {
  const std::vector<RankSet> nodes{{0, 1, 2}, {3, 4}, {5}};
  EXPECT_EQ(name_by_nodes({0, 3, 5}, nodes, 6), "node leaders");
  EXPECT_EQ(name_by_nodes({1, 2, 4}, nodes, 6), "all ranks but node leaders");
  EXPECT_EQ(name_by_nodes({3, 5}, nodes, 6), "node leaders but rank 0");
  EXPECT_EQ(name_by_nodes({0, 3}, nodes, 6), "");
  EXPECT_EQ(name_by_nodes({0, 3, 5}, nodes, 7), "") << "a rank is on no node";
  EXPECT_EQ(name_by_nodes({0, 1}, {{0}, {1}}, 2), "") << "a node for each rank";
  EXPECT_EQ(name_by_nodes({0}, {{0, 1}}, 2), "") << "one node";
}

}  // namespace tracefold::name_rank_set_test
