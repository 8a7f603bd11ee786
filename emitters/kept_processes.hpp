// What tables say where they are of a reduced trace, and nothing tells of the processes that were
// folded. Thread-safe.
#pragma once

#include <string>

namespace tracefold {

struct Plan;

// "of the 3 kept processes only"; empty where none of the plan's processes stands for others.
std::string describe_kept_only(const Plan& plan);

// The same as the first line of a table: "Of the 3 kept processes only; what those that they stand
// for did is not known.", or nothing.
std::string write_kept_only_line(const Plan& plan);

}  // namespace tracefold
