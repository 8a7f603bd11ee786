#include "pipeline/reduce/profile_plan.hpp"

#include "pipeline/groups/program_places.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/call_path_pass.hpp"
#include "pipeline/program/whole_program.hpp"

namespace tracefold {

CallPathProfiles read_call_paths(PlanSession& session, const GroupOptions& grouping,
                                 const ProfileOptions& profile) {
  auto& plan = session.plan();
  const auto reading = session.context().read_as("profile");

  if (const auto* program = session.program()) {
    session.require_groups(grouping);
    find_members(plan, profile);  // throws where there is no such group
    return program->calls.profiles;
  }

  if (plan.processes.empty() && !plan.groups) {  // one reading tells the groups as well
    auto calls =
        call_path_and_profile_pass(plan, session.archive(), reading, session.diagnostics());
    if (was_reduced(session.archive()))
      plan.grid = read_stored_grid(session.archive());
    session.group(grouping);
    return calls;
  }

  session.require_groups(grouping);
  return call_path_pass(session.archive(), plan, find_members(plan, profile), reading,
                        session.diagnostics());
}

ProcessProfiles read_process_profiles(PlanSession& session, const GroupOptions& grouping,
                                      const ProfileOptions& profile) {
  session.profile();
  auto& plan = session.plan();
  if (profile.group)
    session.require_groups(grouping);

  if (const auto* program = session.program())
    return choose_profiles(program->stored->read_calls(StoredColumns::all),
                           profile.group ? find_members(plan, profile) : list_processes(plan),
                           session.archive(), session.diagnostics());

  return profile_processes(session.archive(), plan,
                           profile.group ? find_members(plan, profile) : kept_processes(plan),
                           session.context().read_as("profile"), session.diagnostics());
}

}  // namespace tracefold
