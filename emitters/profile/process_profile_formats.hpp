// Profiles of single processes: a table of the call paths that take most time, CSV and JSON with
// all of them.
#pragma once

#include "model/profile/process_profiles.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

struct Plan;

// The `most` call paths of any process with the largest exclusive times; 0: all.
std::string to_table(const Plan& plan, const ProcessProfiles& profiles, std::size_t most);

// A line for each process and call path, process by process, call paths depth first; and one
// without a call path for what a process recorded outside of calls.
std::string to_csv(const Plan& plan, const ProcessProfiles& profiles);

// The call paths once, and for each process the numbers of those that it has with their values, and
// the values of what it recorded outside of calls (`outside_calls`), where that is anything.
std::string to_json(const Plan& plan, const ProcessProfiles& profiles);

}  // namespace tracefold
