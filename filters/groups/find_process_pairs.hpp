// Finds two processes of a group that are worth comparing.
//
// Source: structural VIII (selection before an alignment), thesis 4.4: at most two pairs for each
// group, since a group of equal processes has no pair that is not alike.
#pragma once

#include "model/groups/similarity.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

// Returns the pairs of each group of the plan. Of equally good pairs, that with the lowest
// processes is taken. In a group of more than `limit` processes, the most different pair is
// approximated: from the processes with the least and the most time in each function, the search
// goes to the farthest process until none is farther, and the best pair is returned. This takes
// O(processes · functions²) instead of O(processes² · functions). `percent` is the relative error
// of times: then processes with equal times may differ, too. Throws Error(usage) where the plan has
// no groups.
inline constexpr std::size_t most_compared_with_all = 4096;
std::vector<GroupPairs> find_process_pairs(const Plan& plan,
                                           std::size_t limit = most_compared_with_all,
                                           unsigned percent = 0);

}  // namespace tracefold
