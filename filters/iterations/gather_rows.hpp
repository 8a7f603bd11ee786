// Changes the rows of maps to groups, nodes, or processes in the order of a grid.
//
// A row of several processes has the weighted mean of those that have a value. A row of one process
// is unchanged.
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

// The rows that a map should have; `members` are indexes of the plan's processes.
struct WantedRows {
  RowChoice rows = RowChoice::rank;
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;
  std::vector<GridAxis> axes = {};                      // of rows in the order of a grid
  std::vector<std::vector<std::uint64_t>> places = {};  // of these rows: as in ShownRows
};

// Rows with all processes of the plan. For groups, the plan must have some. Processes without a
// node share the last row. Throws Error(input) where ranks form no grid.
WantedRows list_wanted_rows(const Plan& plan, const ProgramPlaces& places, RowChoice rows);

// Puts all ranks of the program on a grid of these sizes, row by row, whatever grids there are;
// none given: leaves these. Throws Error(usage) where not all ranks have a place.
void place_ranks(const Plan& plan, const std::vector<std::size_t>& sizes, ProgramPlaces& places);

// The grid of all ranks: the first one that the trace defines, otherwise the one that messages
// suggest. Throws Error(input) where there is none.
const RankGrid& get_rank_grid(const ProgramPlaces& places);
// "(0, 3)"
std::string name_place(const RankGrid& grid, std::size_t rank);
// The ranks in the order of the grid, row by row.
std::vector<std::size_t> order_ranks(const RankGrid& grid);

// Leaves out rows without any process of the map.
IterationMap gather_rows(const Plan& plan, const IterationMap& map, const WantedRows& rows);
ComparedMap gather_rows(const Plan& plan, ComparedMap maps, const WantedRows& rows);

}  // namespace tracefold
