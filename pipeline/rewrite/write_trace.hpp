// Writes what a plan makes of a trace to an output that the caller chooses: an archive
// (otf2_output.hpp), or any other TraceOutput.
//
// Called by one thread, which uses others. The result does not depend on their number.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "base/interrupt.hpp"
#include "base/team.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold {

// A plan with the processes of the trace and its section `write`.
struct PreparedPlan {
  Plan plan;
  bool was_profiled = true;  // if not, the processes were added for this rewrite only
  PlanFiles files;           // to write beside the trace; in a team only at the first member
};

// The most bytes for tracefold.profiles: as asked for, or the default of RewriteOptions.
std::uint64_t choose_most_profiles(const Archive& archive, const RewriteOptions& options,
                                   Team* team = nullptr);

// If the plan has no processes, the trace was not profiled: there are no filters, and every process
// is kept.
PreparedPlan prepare_plan(const Archive& archive, const Plan& plan, const RewriteOptions& options,
                          Team* team = nullptr);
// Whether the halo is the usual one, which the plan names, and what was made of an original, but
// for tracefold.profiles, is larger than that with it.
bool is_halo_too_large(const Archive& archive, const Plan& plan, const RewriteSummary& made);
// The same plan of a profiled trace without its halo.
void leave_out_halo(PreparedPlan& prepared, Team* team = nullptr);
// The files of a plan of a trace that was not profiled; how many events it has is known only after
// reading.
PlanFiles format_unprofiled(const Plan& plan, std::uint64_t events_read);

struct WrittenTrace {
  RewriteSummary summary;  // without bytes
  std::vector<CopiedLocation> locations;
};

// Sums over all locations.
RewriteSummary add_up(const std::vector<CopiedLocation>& copied);
std::vector<WrittenLocation> list_written(const std::vector<CopiedLocation>& copied);

// In a team, every member writes events, and the first one the rest. Throws Error(input),
// Error(interrupted), and what the output throws.
template <TraceOutput Output>
WrittenTrace write_trace(const Archive& archive, const PreparedPlan& prepared, Output& output,
                         const RewriteOptions& options, const ReadOptions& reading,
                         Diagnostics& diagnostics) {
  // The profile has reported this already.
  Diagnostics ignored;
  auto& oddities = prepared.was_profiled ? ignored : diagnostics;

  ReducedTrace reduced(archive, prepared.plan, reading, oddities);
  WrittenTrace written;
  written.locations = reduced.copy(output, !prepared.was_profiled, reading, oddities);
  check_stop();

  auto& summary = written.summary;
  summary = add_up(written.locations);
  // Reading what was written takes less than a tenth of the time for reading the trace.
  const auto read = std::max(summary.read, prepared.plan.trace.events);
  summary.checked = options.verify || summary.events <= read / 10;

  if (const auto& program = prepared.plan.program_file)
    summary.profiles = program->detail;
  decide_once(reading.team, [&] {
    auto files = prepared.files;
    if (!prepared.was_profiled)
      files.plan = format_unprofiled(prepared.plan, summary.read).plan;
    const auto metadata = reduced.make_metadata(written.locations, std::move(files));
    output.write(metadata);
    output.check_metadata(metadata);
  });
  if (summary.checked)
    output.check_events(list_written(written.locations), reading);

  return written;
}

}  // namespace tracefold
