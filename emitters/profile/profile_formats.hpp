// Profiles of groups: a table for people, CSV and JSON for programs.
#pragma once

#include "model/profile/group_profile.hpp"

#include <string>

namespace tracefold {

struct Plan;

// All percentiles of `shown`, the medians of the other two quantities and of counters, the time for
// each visit and its share of all time of the processes, and the outliers of `shown`. Where
// processes are in quarters, these in place of all else.
std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown);

// One heading, and one line for each row.
std::string to_csv(const Plan& plan, const ProfileReport& report);

std::string to_json(const Plan& plan, const ProfileReport& report);

}  // namespace tracefold
