// Which two processes of a group to look at side by side.
//
// Source: structural VIII (pre-selection for alignment), thesis 4.4: at most two
// pairs for each group, since a group of equal processes has no dissimilar pair.
#pragma once

#include "model/groups/process_pair.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// For each group of the plan, in their order. Ties go to the lowest processes. In a
// group of more than `limit` members the most different pair is the best of those
// found by going, from the ends of each function's times, to whoever is farthest
// until nobody is farther: O(members · functions²) instead of O(members² · functions).
// Throws Error(usage) where the plan has no groups.
std::vector<GroupPairs> pairs_to_compare(const Plan& plan, std::size_t limit = 4096);

}  // namespace tracefold
