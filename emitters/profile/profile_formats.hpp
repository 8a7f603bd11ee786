// Profiles of groups: a table for people, CSV and JSON for programs.
#pragma once

#include "emitters/tables.hpp"
#include "model/profile/group_profile.hpp"

#include <string>

namespace tracefold {

struct Plan;

enum class Quantity { exclusive, inclusive, visits };

// All percentiles of `shown`, the medians of the other two quantities, and the outliers of `shown`.
std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown);

// One heading, and one line for each row.
std::string to_csv(const Plan& plan, const ProfileReport& report);

std::string to_json(const Plan& plan, const ProfileReport& report);

}  // namespace tracefold
