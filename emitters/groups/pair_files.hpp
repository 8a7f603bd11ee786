// The pairs of processes to look at side by side, as text.
#pragma once

#include "model/groups/process_pair.hpp"
#include "model/plan.hpp"

#include <string>
#include <vector>

namespace tracefold {

std::string to_table(const Plan& plan, const std::vector<GroupPairs>& pairs);
// Differences in seconds. Groups without a pair have no line.
std::string to_csv(const Plan& plan, const std::vector<GroupPairs>& pairs);
std::string to_json(const Plan& plan, const std::vector<GroupPairs>& pairs);

}  // namespace tracefold
