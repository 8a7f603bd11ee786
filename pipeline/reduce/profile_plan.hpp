// The call paths of a plan's processes, and the groups that these are shown by, from as few
// readings of the trace as possible.
//
// Errors are those of PlanSession::group, and Error(usage) where the plan has no such group.
#pragma once

#include "filters/profile/profile_report.hpp"
#include "model/profile/process_profiles.hpp"
#include "pipeline/reduce/plan_session.hpp"

namespace tracefold {

// The members of the groups that are asked for; with counters where these are wanted and the trace
// records some.
CallPathProfiles read_call_paths(PlanSession& session, const GroupOptions& grouping,
                                 const ProfileOptions& profile);

// The rows of these call paths, as the options want them: functions in groups by what the trace
// defines of them, and counters with their units. Warns of patterns of listed groups that match
// nothing.
ProfileReport report_profile(PlanSession& session, const CallPathProfiles& calls,
                             const ProfileOptions& options);

// Every process with all metrics: the members of the group that is asked for, or the kept
// processes.
ProcessProfiles read_process_profiles(PlanSession& session, const GroupOptions& grouping,
                                      const ProfileOptions& profile);

}  // namespace tracefold
