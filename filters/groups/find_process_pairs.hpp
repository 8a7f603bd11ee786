// Finds two processes of a group that are worth a look side by side.
//
// Source: structural VIII (selection before an alignment), thesis 4.4: at most two pairs for each
// group, since a group of equal processes has no pair that is not alike.
#pragma once

#include "model/groups/similarity.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

// For each group of the plan, in their order. Of equally good pairs the one with the lowest
// processes is taken. In a group of more than `limit` processes the most different pair is searched
// for: from the processes with the least and the most time in each function, the search goes to
// the process that is farthest away, again and again until none is farther; the best pair found
// counts. This takes O(processes · functions²) instead of O(processes² · functions). `percent` says
// how far times may be off, each by that of itself: then two processes with equal times may differ,
// too. Throws Error(usage) where the plan has no groups.
inline constexpr std::size_t most_compared_with_all = 4096;
std::vector<GroupPairs> find_process_pairs(const Plan& plan,
                                           std::size_t limit = most_compared_with_all,
                                           unsigned percent = 0);

}  // namespace tracefold
