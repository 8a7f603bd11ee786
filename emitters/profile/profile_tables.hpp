// Profiles of groups: a table for people, CSV and JSON for programs.
//
// Names may hold anything. In a table control characters are shown as '?'; CSV
// quotes as RFC 4180 says, and keeps them; in all three, what is no UTF-8 becomes
// U+FFFD. CSV and JSON give times in seconds; a trace without a clock counts as
// one of 10^9 ticks a second.
#pragma once

#include "model/plan.hpp"
#include "model/profile/group_profile.hpp"

#include <cstdint>
#include <string>

namespace tracefold {

enum class Quantity { exclusive, inclusive, visits };

// All percentiles of one quantity, the medians of the others, and the outliers
// of the first.
std::string profile_table(const Plan& plan, const ProfileReport& report, Quantity shown);

// One header, one line per row.
std::string profile_csv(const Plan& plan, const ProfileReport& report);

std::string profile_json(const Plan& plan, const ProfileReport& report);

}  // namespace tracefold
