// Why the groups of a plan are apart: for each the fewest call pairs, or functions, that its
// members have or lack and that together fit no process of another group
// (lattice/distinguish.hpp), whatever the groups were made by; and what each sets it apart alone.
//
// Of pairs that tell as much, those count more that are of the program itself, then those whose
// callees take more time, as far as the plan tells it. A function of the program that has one
// caller only is named without it. Where groups have processes of several types, or some without
// calls, that may set groups apart, too. Where signatures were compared, operations, partners,
// counts and sizes of messages do before all else (filters/groups/signature_features.hpp).
//
// Pure. Source: structural V and VIII.A, thesis 4.3.
#pragma once

#include "model/groups/group_reasons.hpp"
#include "model/profile/call_path_profile.hpp"

#include <vector>

namespace tracefold {

struct Communication;
struct Plan;

// For each group; the plan has groups and profiles. `communication` is needed where signatures were
// compared, else null; without it, call pairs have to do.
std::vector<GroupReason> explain_groups(const Plan& plan, const Communication* communication);

// Adds the shares of time: of call pairs the time in the callee with all that it calls, where the
// caller called it. `calls` is of all processes of the plan. What no call path shows, as where
// functions between two others were ignored, has no share.
void add_shares(std::vector<GroupReason>& reasons, const Plan& plan, const CallPathProfiles& calls);

}  // namespace tracefold
