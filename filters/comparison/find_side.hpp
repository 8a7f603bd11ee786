// Finds the processes of one run that a list names, as one side of a comparison. Pure.
#pragma once

#include "model/comparison/run_comparison.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct ListedSide {
  // Its name is the list; its number is that of the group of the first process.
  ComparedGroup group;
  std::vector<std::size_t> members;  // indexes of the plan's processes, ascending
};

// `list` is as in model/location_list.hpp; the plan must have groups. Throws Error(usage) where the
// list is empty or names something that does not exist.
ListedSide find_side(const Plan& plan, const std::string& list);

}  // namespace tracefold
