// The processes of one run that a list names, as one side of a comparison. Pure.
#pragma once

#include "model/comparison/run_comparison.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct ListedSide {
  // Named as the list; its number is that of the group that has the first process.
  ComparedGroup group;
  std::vector<std::size_t> members;  // indexes of the plan's processes, ascending
};

// The list is one of model/location_list.hpp; the plan has groups. Throws Error(usage) where it
// names none, or what there is not.
ListedSide find_side(const Plan& plan, const std::string& list);

}  // namespace tracefold
