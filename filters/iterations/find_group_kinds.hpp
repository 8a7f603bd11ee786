// Divides a map into groups of processes and kinds of iterations: those that one kept iteration
// stands for. Pure. Thread-safe. Memory: 8 bytes for each value of the largest cell.
#pragma once

#include "model/iterations/group_kinds.hpp"
#include "model/iterations/iteration_map.hpp"

namespace tracefold {

struct Plan;

// All iterations are of one kind where none is folded. Where iterations share columns, a column
// counts once for each kind that has one of them.
GroupKinds find_group_kinds(const Plan& plan, const ComparedMap& maps);

}  // namespace tracefold
