// Explains why the groups of a plan are separate: for each group the fewest call pairs or functions
// that its members have or lack and that together fit no process of another group
// (lattice/distinguish.hpp), however the groups were made; and what distinguishes it on its own.
//
// Prefers, among equally good pairs, those of the program itself, then those whose callees take
// more time. A function of the program with a single caller is named without it. Groups may also
// differ by the type of their processes, or by having no calls. If signatures were compared,
// operations, partners, counts and sizes of messages are preferred to everything else
// (filters/groups/signature_features.hpp).
//
// Pure. Source: structural V and VIII.A, thesis 4.3.
#pragma once

#include "model/groups/group_reasons.hpp"
#include "model/profile/call_path_profile.hpp"

#include <vector>

namespace tracefold {

struct Communication;
struct Plan;

// Returns a reason for each group; the plan must have groups and profiles. `communication` is
// needed if signatures were compared; if it is null, call pairs are used.
std::vector<GroupReason> explain_groups(const Plan& plan, const Communication* communication);

// Adds shares of time: for a call pair, the time of the callee, with its callees, where that caller
// called it. `calls` has all processes of the plan. A pair that no call path shows, since ignored
// functions are in between, has no share.
void add_shares(std::vector<GroupReason>& reasons, const Plan& plan, const CallPathProfiles& calls);

}  // namespace tracefold
