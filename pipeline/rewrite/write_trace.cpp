#include "pipeline/rewrite/write_trace.hpp"

#include "base/version.hpp"

namespace tracefold {

PreparedPlan prepare_plan(const Archive& archive, const Plan& plan, const RewriteOptions& options) {
  PreparedPlan prepared{plan, !plan.processes.empty(), {}};
  prepared.plan.write = {version, options.keep_ids, options.plain_names};
  if (prepared.was_profiled) {
    prepared.files = make_plan_files(leave_out_profiles(prepared.plan));
  } else {
    prepared.files = format_unprofiled(prepared.plan, 0);
    prepared.plan.processes = find_processes(archive.definitions(), plan.filters);
  }

  return prepared;
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
