// Which counters are not known of functions: those that only locations without calls record, as the
// energy of a node. They are not 0 there. Pure.
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <vector>

namespace tracefold {

struct Plan;

// By counter of the profiles. The plan has the intents of all processes, the profiles any of them.
std::vector<bool> find_unknown_counters(const Plan& plan, const CallPathProfiles& profiles);

}  // namespace tracefold
