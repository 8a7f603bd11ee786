// Names sets of MPI ranks by their position in a grid, their order, or the nodes of the machine. A
// name means exactly the given set. Pure.
//
// Positions in a grid use the axes with more than one rank. A periodic axis has no ends.
//   corner of the grid    at an end of every axis
//   edge of the grid      at an end of every axis but one, without the corners
//   face of the grid      with three axes: at an end of exactly one axis
//   border of the grid    at an end of any axis
//   inside of the grid    at no end
// With two axes, the first one goes from north to south and the second one from west to east, so
// rank 0 of MPI_Cart_create is at the north-west corner. With three, the first one goes from top to
// bottom, and the others as these. Then sides have names, too: "edge north",
// "edges north and south", "face top", "north row", "all columns but west". "…but rank 0" excludes
// only rank 0.
#pragma once

#include "model/groups/rank_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// Ascending.
using RankSet = std::vector<std::uint64_t>;

// The position of each rank in a grid.
struct RankGrid {
  std::vector<GridAxis> axes;              // the slowest first
  std::vector<std::uint64_t> coordinates;  // of each rank and axis, below the size of the axis
};

// Places ranks row by row, the last axis the fastest; the product of the sizes must be at least
// `ranks`.
RankGrid fill_grid(std::vector<GridAxis> axes, std::size_t ranks);

class GridPositions {
 public:
  explicit GridPositions(const RankGrid& grid);

  // `ranks` is not empty and does not have all ranks. "" where no position is exactly this set,
  // where the grid has fewer than two axes or no ends, and where no axis has a rank between its
  // ends.
  std::string name(const RankSet& ranks) const;

 private:
  using Taken = std::vector<bool>;  // by position

  Taken find_positions(const RankSet& ranks) const;
  std::string name_positions(const Taken& taken) const;
  std::string name_kinds(const Taken& taken) const;
  std::string name_slab(const Taken& taken) const;
  std::string name_elements(const Taken& taken) const;
  std::size_t count_ends(std::size_t position) const;
  std::string name_kind(std::size_t ends) const;
  std::string name_sides(std::size_t position) const;
  std::size_t find_place(std::size_t position, std::size_t axis) const;

  std::size_t axes_ = 0;                  // with more than one rank
  std::vector<std::size_t> position_of_;  // by rank
  std::vector<std::size_t> counts_;       // of ranks, by position
};

// By order: "rank 0", "last rank", "all ranks but 0", "even ranks"; otherwise "", also for any
// other single rank. `size` is the number of all ranks. On a ring there is no last rank.
std::string name_by_order(const RankSet& ranks, std::size_t size, bool is_ring = false);

// "node leaders" for the first ranks of all nodes, if nodes have several ranks; otherwise "".
std::string name_by_nodes(const RankSet& ranks, const std::vector<RankSet>& nodes,
                          std::size_t size);

}  // namespace tracefold
