// Maps whose rows are not processes in the order of their locations, but groups, nodes, or
// processes in the order of their places in a grid.
//
// A row of several processes has the mean of those of them that have a value, each counted with its
// weight. A map of one process for each row loses nothing.
//
// Pure. Source: dynamics 3.2 (maps of processes).
#pragma once

#include "filters/groups/name_groups.hpp"
#include "model/groups/rank_grid.hpp"
#include "model/groups/row_choice.hpp"
#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// Rows that a map is to have: `members` are indexes of the plan's processes.
struct WantedRows {
  RowChoice rows = RowChoice::rank;
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;
  std::vector<GridAxis> axes = {};                      // of rows in the order of a grid
  std::vector<std::vector<std::uint64_t>> places = {};  // of these rows: as in ShownRows
};

// Of all processes of the plan. For groups it has to have some. Processes of no node come last in a
// row of their own. Throws Error(input) where ranks form no grid.
WantedRows list_wanted_rows(const Plan& plan, const ProgramPlaces& places, RowChoice rows);

// The grid of all ranks: the first that is defined, or else the one that messages propose. Throws
// Error(input) where there is none.
const RankGrid& get_rank_grid(const ProgramPlaces& places);
// "(0, 3)"
std::string name_place(const RankGrid& grid, std::size_t rank);
// Ranks in the order of their places, row by row.
std::vector<std::size_t> order_ranks(const RankGrid& grid);

// Rows without any process of the map are left out.
IterationMap gather_rows(const Plan& plan, const IterationMap& map, const WantedRows& rows);
ComparedMap gather_rows(const Plan& plan, ComparedMap maps, const WantedRows& rows);

}  // namespace tracefold
