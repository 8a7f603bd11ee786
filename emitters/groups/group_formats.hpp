// The groups of a plan as a table for people. For programs they are part of the plan itself, which
// is JSON.
#pragma once

#include "model/plan.hpp"

#include <string>

namespace tracefold {

// The plan has groups. Each has a row with its count and members and, where representatives were
// selected, with the kept processes. Below it stand, where they say more: how processes were
// compared, whom each kept process represents, and the similarity between groups where there are
// at most largest_matrix.
std::string to_group_table(const Plan& plan);

}  // namespace tracefold
