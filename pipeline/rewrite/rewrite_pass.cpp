#include "pipeline/rewrite/rewrite_pass.hpp"

#include "base/publish.hpp"
#include "base/version.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/otf2_output.hpp"
#include "pipeline/rewrite/publish_archive.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

std::string format_plan(const Plan& plan, bool was_profiled, std::uint64_t events_read) {
  if (was_profiled)
    return to_json(leave_out_profiles(plan));

  auto unprofiled = plan;
  unprofiled.processes.clear();
  unprofiled.trace.events = events_read;

  return to_json(unprofiled);
}

RewriteSummary add_up(const std::vector<CopiedLocation>& copied) {
  RewriteSummary summary;
  summary.locations = copied.size();

  for (const auto& location : copied) {
    summary.read += location.read;
    summary.events += location.written.records;
    for (std::size_t k = 0; k < event_kinds; ++k)
      summary.cut[k] += location.cut[k];
  }

  return summary;
}

namespace {

// Bytes of all files in a folder.
std::uint64_t measure_size(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      bytes += entry.file_size();
  return bytes;
}

// Reading what was written costs less than a tenth of what reading the trace did.
bool is_cheap_to_check(std::uint64_t written, std::uint64_t read) {
  return written <= read / 10;
}

// Writes what a trace holds besides events, and looks whether all can be read again.
template <TraceOutput Output>
void finish(Output& output, const TraceMetadata& metadata,
            const std::vector<CopiedLocation>& copied, bool check_events,
            const ReadOptions& options) {
  output.write(metadata);
  output.check_metadata(metadata);
  if (!check_events)
    return;

  std::vector<WrittenLocation> written;
  written.reserve(copied.size());
  for (const auto& location : copied)
    written.push_back(location.written);

  output.check_events(written, options);
}

// `plan` is a copy, to which the processes of the trace are added where it has none.
RewriteSummary write_archive(const std::filesystem::path& folder, const Archive& archive, Plan plan,
                             const RewriteOptions& options, Diagnostics& diagnostics) {
  const bool was_profiled = !plan.processes.empty();
  plan.write = {version, options.keep_ids, options.plain_names};
  auto plan_text = format_plan(plan, was_profiled, 0);
  check_free_space(estimate_bytes(archive, plan, plan_text.size()), folder);

  if (!was_profiled)
    plan.processes = find_processes(archive.definitions(), plan.filters);

  // What the profile has reported is not reported again.
  Diagnostics ignored;
  auto& oddities = was_profiled ? ignored : diagnostics;

  ReducedTrace reduced(archive, plan, options, oddities);
  std::optional<Otf2Output> output;
  const auto make_output = [&](std::size_t largest_record) -> Otf2Output& {
    return output.emplace(folder, largest_record);
  };
  const auto copied = reduced.copy(make_output, !was_profiled, options, oddities);
  check_stop();

  auto summary = add_up(copied);
  summary.checked = options.verify ||
                    is_cheap_to_check(summary.events, std::max(summary.read, plan.trace.events));
  if (!was_profiled)  // only now the number of events is known
    plan_text = format_plan(plan, was_profiled, summary.read);
  finish(*output, reduced.make_metadata(copied, plan_text), copied, summary.checked, options);

  write_file(folder / plan_name, plan_text);
  summary.bytes = measure_size(folder);
  check_stop();

  return summary;
}

}  // namespace

RewriteSummary rewrite(const Archive& archive, const Plan& plan,
                       const std::filesystem::path& out_folder, const RewriteOptions& options,
                       Diagnostics& diagnostics) {
  RewriteSummary summary;
  publish_archive(out_folder, options.force, archive, [&](const std::filesystem::path& folder) {
    summary = write_archive(folder, archive, plan, options, diagnostics);
  });

  return summary;
}

}  // namespace tracefold
