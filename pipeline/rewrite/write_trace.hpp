// Writes what a plan makes of a trace to an output that the caller chooses: an archive
// (otf2_output.hpp), or whatever else is a TraceOutput.
//
// One thread, which uses others. The result does not depend on their number.
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
  bool was_profiled = true;  // else the processes were added for this rewrite only
  PlanFiles files;           // as it goes beside the trace; in a team only at the first member
};

// The bytes that tracefold.profiles may take. Unasked, that of a trace that was reduced before may
// be as large as it is.
std::uint64_t choose_most_profiles(const Archive& archive, const RewriteOptions& options,
                                   Team* team = nullptr);

// A plan without processes is of a trace that was not profiled: it has no filters, and every
// process is kept.
PreparedPlan prepare_plan(const Archive& archive, const Plan& plan, const RewriteOptions& options,
                          Team* team = nullptr);
// The files of a plan whose trace was not profiled: only who has read it knows how many events it
// has.
PlanFiles format_unprofiled(const Plan& plan, std::uint64_t events_read);

struct WrittenTrace {
  RewriteSummary summary;  // without bytes
  std::vector<CopiedLocation> locations;
};

// The numbers of all locations together.
RewriteSummary add_up(const std::vector<CopiedLocation>& copied);
std::vector<WrittenLocation> list_written(const std::vector<CopiedLocation>& copied);

// In a team every member writes events, and the first one the rest. Throws Error(input),
// Error(interrupted), and what the output throws.
template <TraceOutput Output>
WrittenTrace write_trace(const Archive& archive, const PreparedPlan& prepared, Output& output,
                         const RewriteOptions& options, const ReadOptions& reading,
                         Diagnostics& diagnostics) {
  // What the profile has reported is not reported again.
  Diagnostics ignored;
  auto& oddities = prepared.was_profiled ? ignored : diagnostics;

  ReducedTrace reduced(archive, prepared.plan, reading, oddities);
  WrittenTrace written;
  written.locations = reduced.copy(output, !prepared.was_profiled, reading, oddities);
  check_stop();

  auto& summary = written.summary;
  summary = add_up(written.locations);
  // Reading what was written costs less than a tenth of what reading the trace did.
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
