// What the ranks of each group communicate, as programs that people read, and as CSV.
#pragma once

#include "model/messages/skeleton.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// One operation on a line; what repeats is indented below the number of its repetitions. Groups
// with most processes come first; where not all is shown, only some of them, and of each its first
// lines.
std::string to_skeleton_table(const Plan& plan, const std::vector<Skeleton>& skeletons);

// The same as parts of a page: of each group its title, a line, and its program, some lines.
struct SkeletonText {
  std::string title, program;
};
struct SkeletonTexts {
  std::vector<SkeletonText> groups;
  std::string key;           // what columns and marks mean, some lines
  std::size_t left_out = 0;  // groups
};
struct SkeletonLimits {
  std::size_t groups = 0, lines = 0, waits = 0;
};
SkeletonTexts write_skeletons(const Plan& plan, const std::vector<Skeleton>& skeletons,
                              const SkeletonLimits& most);

// A row for each line, in order, with whole call paths; a call that only waits has no depth.
std::string to_skeleton_csv(const std::vector<Skeleton>& skeletons);

}  // namespace tracefold
