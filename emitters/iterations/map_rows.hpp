// The rows of a map as they are drawn: their order, and what stands beside them. Pure functions.
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// Puts the threads of a rank beside each other where all processes have ranks, and rows are
// processes. Memory: one row
// besides the maps.
void order_by_rank(const Plan& plan, ComparedMap& maps);

// What a row is, and several of them.
struct RowWords {
  const char* one;
  const char* many;
};
RowWords name_rows(const IterationMap& map);

struct RowName {
  double row = 0;  // place on the axis: rows from the top
  std::string name;
};

struct RowAxis {
  std::string title;  // empty where the names need none
  std::vector<RowName> names;
};

// Names of rows where they have any; round ranks where rows are in their order, else some processes
// by name.
RowAxis choose_row_axis(const Plan& plan, const IterationMap& map);

}  // namespace tracefold
