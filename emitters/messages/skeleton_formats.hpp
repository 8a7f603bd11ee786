// What the ranks of each group communicate, as programs that people read, and as CSV.
#pragma once

#include "model/messages/skeleton.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// One operation on a line; what repeats is indented below the number of its repetitions. Groups
// with most processes come first; where not all is shown, only some of them, and of each its first
// lines.
std::string to_skeleton_table(const Plan& plan, const std::vector<Skeleton>& skeletons);

// A row for each line, in order, with whole call paths; a call that only waits has no depth.
std::string to_skeleton_csv(const std::vector<Skeleton>& skeletons);

}  // namespace tracefold
