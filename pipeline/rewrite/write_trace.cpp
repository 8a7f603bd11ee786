#include "pipeline/rewrite/write_trace.hpp"

#include "base/sha256.hpp"
#include "base/team.hpp"
#include "base/version.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t least_most_profiles = std::uint64_t{1} << 20;

// What every process does, as it goes beside the trace. None where the plan does not know it, or it
// has no room.
std::optional<PackedProgram> pack_profiles(const Plan& plan, Team* team) {
  if (plan.program)
    return pack_program(plan, plan.write->most_profiles, team);
  if (plan.carried_program)
    return *plan.carried_program;
  return std::nullopt;
}

// The plan gets the hash of what is packed, which the first member of a team has.
std::string take_profiles(Plan& plan, Team* team) {
  auto packed = pack_profiles(plan, team);
  if (!packed)
    return {};
  plan.program_file = ProgramFile{
      compute_once<std::string>(team, [&] { return hash_text(packed->bytes); }), packed->detail};
  return is_first(team) ? std::move(packed->bytes) : std::string();
}

}  // namespace

std::uint64_t choose_most_profiles(const Archive& archive, const RewriteOptions& options,
                                   Team* team) {
  if (options.most_profiles)
    return *options.most_profiles;

  return compute_once<std::uint64_t>(team, [&] {
    std::error_code missing;
    const auto size =
        std::filesystem::file_size(archive.paths().anchor.parent_path() / profiles_name, missing);
    const std::uint64_t carried = was_reduced(archive) && !missing ? size : 0;
    return std::max({least_most_profiles, archive.bytes() / 100, carried});
  });
}

PreparedPlan prepare_plan(const Archive& archive, const Plan& plan, const RewriteOptions& options,
                          Team* team) {
  PreparedPlan prepared{plan, !plan.processes.empty(), {}};
  const bool has_program = plan.program || plan.carried_program;
  prepared.plan.write = {version,
                         options.keep_ids,
                         options.plain_names,
                         has_program ? choose_most_profiles(archive, options, team) : 0,
                         options.member_metrics,
                         options.draws_messages,
                         options.tree};
  auto profiles = take_profiles(prepared.plan, team);
  if (is_first(team))
    prepared.files = prepared.was_profiled ? make_plan_files(leave_out_profiles(prepared.plan))
                                           : format_unprofiled(prepared.plan, 0);
  if (!prepared.was_profiled)
    prepared.plan.processes = find_processes(archive.definitions(), plan.filters);
  prepared.files.profiles = std::move(profiles);

  return prepared;
}

bool is_halo_too_large(const Archive& archive, const Plan& plan, const RewriteSummary& made) {
  return plan.halo && plan.halo->asked == HaloOptions{} && made.halo > 0 &&
         made.bytes - made.profiles_bytes > archive.bytes() && !was_reduced(archive);
}

void leave_out_halo(PreparedPlan& prepared, Team* team) {
  prepared.plan.halo.reset();
  if (!is_first(team))
    return;
  auto profiles = std::move(prepared.files.profiles);
  prepared.files = make_plan_files(leave_out_profiles(prepared.plan));
  prepared.files.profiles = std::move(profiles);
}

PlanFiles format_unprofiled(const Plan& plan, std::uint64_t events_read) {
  auto unprofiled = plan;
  unprofiled.processes.clear();
  unprofiled.trace.events = events_read;

  return make_plan_files(unprofiled);
}

RewriteSummary add_up(const std::vector<CopiedLocation>& copied) {
  RewriteSummary summary;
  summary.locations = copied.size();

  for (const auto& location : copied) {
    summary.read += location.read;
    summary.halo += location.is_halo;
    summary.events += location.written.records;
    summary.sends += count_sends(location.written.others);
    for (std::size_t k = 0; k < event_kinds; ++k)
      summary.cut[k] += location.cut[k];
  }

  return summary;
}

std::vector<WrittenLocation> list_written(const std::vector<CopiedLocation>& copied) {
  std::vector<WrittenLocation> written;
  written.reserve(copied.size());
  for (const auto& location : copied)
    written.push_back(location.written);

  return written;
}

}  // namespace tracefold
