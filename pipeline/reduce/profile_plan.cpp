#include "pipeline/reduce/profile_plan.hpp"

#include "filters/profile/find_ratio.hpp"
#include "filters/profile/group_functions.hpp"
#include "filters/profile/unknown_counters.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/call_path_pass.hpp"
#include "pipeline/profile/function_kinds.hpp"
#include "pipeline/profile/program_places.hpp"
#include "pipeline/reduce/profile_processes.hpp"

namespace tracefold {

namespace {

bool records_counters(const Archive& archive) {
  return !choose_metric_columns(archive.definitions(), {}).counters.empty();
}

// Before much is read.
void check_ratio(PlanSession& session, const std::string& words) {
  if (words.empty())
    return;
  const auto& definitions = session.archive().definitions();
  const auto* program = session.program();
  find_ratio(words, program ? program->stored->columns() : choose_metric_columns(definitions),
             session.plan(), definitions);
}

}  // namespace

CallPathProfiles read_call_paths(PlanSession& session, const GroupOptions& grouping,
                                 const ProfileOptions& profile) {
  auto& plan = session.plan();
  const auto reading = session.context().read_as("profile");
  check_ratio(session, profile.ratio);

  if (const auto* program = session.program()) {
    session.require_groups(grouping);
    find_members(plan, profile);  // throws where there is no such group
    return !profile.ratio.empty() ||
                   (profile.counters && !program->stored->columns().counters.empty())
               ? program->stored->read_calls(StoredColumns::all).profiles
               : program->calls.profiles;
  }

  if (!profile.ratio.empty() || (profile.counters && records_counters(session.archive()))) {
    session.profile();
    session.require_groups(grouping);
    return profile_with_counters(session.archive(), plan, find_members(plan, profile), reading,
                                 session.diagnostics());
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

ProfileReport report_profile(PlanSession& session, const CallPathProfiles& calls,
                             const ProfileOptions& options) {
  const auto& plan = session.plan();
  FunctionGroups groups;
  if (options.function_grouping) {
    const auto kinds = find_function_kinds(session.archive().definitions(), plan.functions);
    groups = group_functions(plan.functions, kinds, *options.function_grouping,
                             options.listed_functions);
    for (const auto& pattern : find_idle_patterns(plan.functions, options.listed_functions))
      session.diagnostics().warn("a pattern of a group of functions matches none", pattern);
  }

  std::optional<MetricRatio> ratio;
  if (!options.ratio.empty())
    ratio = find_ratio(options.ratio, calls.columns, plan, session.archive().definitions());
  auto report = make_profile_report(plan, calls, options, std::move(groups), std::move(ratio));
  for (auto& counter : report.counters)
    counter.unit =
        find_recorded_unit(session.archive().definitions(), MetricKind::counter, counter.name);
  return report;
}

namespace {

void mark_unknown_counters(const Plan& plan, ProcessProfiles& profiles) {
  const auto unknown = find_unknown_counters(plan, profiles.calls);
  const auto first = profiles.calls.columns.measured.size();
  for (auto& metric : profiles.metrics)
    metric.is_unknown_in_calls =
        metric.kind == MetricKind::counter && unknown[metric.columns.front() - first];
  if (profiles.ratio)
    profiles.ratio->mark_unknown(profiles.calls.columns, unknown);
}

}  // namespace

ProcessProfiles read_process_profiles(PlanSession& session, const GroupOptions& grouping,
                                      const ProfileOptions& profile) {
  check_ratio(session, profile.ratio);
  session.profile();
  auto& plan = session.plan();
  if (profile.group)
    session.require_groups(grouping);

  ProcessProfiles out;
  if (const auto* program = session.program())
    out = choose_profiles(program->stored->read_calls(StoredColumns::all),
                          profile.group ? find_members(plan, profile) : list_processes(plan),
                          session.archive(), session.diagnostics());
  else
    out = profile_processes(session.archive(), plan,
                            profile.group ? find_members(plan, profile) : kept_processes(plan),
                            session.context().read_as("profile"), session.diagnostics());
  if (!profile.ratio.empty())
    out.ratio = find_ratio(profile.ratio, out.calls.columns, plan, session.archive().definitions());
  mark_unknown_counters(plan, out);

  return out;
}

}  // namespace tracefold
