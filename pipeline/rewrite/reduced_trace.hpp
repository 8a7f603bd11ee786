// What a rewrite makes of a trace, for a writer of a new archive or a comparison with an archive
// that exists.
//
//   const ReducedTrace reduced(archive, plan, …);      // which locations stay, and the scan
//   const auto copied = reduced.copy(output, …);       // the events
//   const auto metadata = reduced.make_metadata(…);    // what the trace holds besides them
//
// Archive and plan must outlive it. Called by one thread, which uses others; the result does not
// depend on their number. Throws Error(input), and what the output throws.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "otf2/event_writer.hpp"
#include "pipeline/rewrite/copy_pass.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/metadata.hpp"

#include <string>
#include <vector>

namespace tracefold {

class ReducedTrace {
 public:
  // The plan must have the processes of the trace and the section `write`, and, for metrics of
  // members from it, the program. Reads the kept locations if some records may not stay, or the
  // trace was reduced before.
  ReducedTrace(const Archive& archive, const Plan& plan, const ReadOptions& options,
               Diagnostics& diagnostics);
  ReducedTrace(const ReducedTrace&) = delete;
  ReducedTrace& operator=(const ReducedTrace&) = delete;

  // Begins the output and copies the events of all kept locations to it; a second time if the first
  // shows that a scan is needed. `report` as in copy_pass.
  template <TraceOutput Output>
  std::vector<CopiedLocation> copy(Output& output, bool report, const ReadOptions& options,
                                   Diagnostics& diagnostics);

  const KeptTrace& kept() const { return kept_; }

  TraceMetadata make_metadata(const std::vector<CopiedLocation>& copied, PlanFiles plan) const {
    return tracefold::make_metadata(kept_, definitions_, copied, std::move(plan));
  }

 private:
  static KeptScan scan(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics);
  void scan_again(bool keeps_all_operations, const ReadOptions& options);

  const KeptTrace kept_;
  KeptScan scan_;
  const MemberMetrics members_;
  const ReducedDefinitions definitions_;
};

template <TraceOutput Output>
std::vector<CopiedLocation> ReducedTrace::copy(Output& output, bool report,
                                               const ReadOptions& options,
                                               Diagnostics& diagnostics) {
  const auto try_to_copy = [&] {
    output.begin(scan_.largest_record);
    return copy_pass(kept_, scan_, members_, definitions_, output, report, options, diagnostics);
  };

  try {
    try {
      return try_to_copy();
    } catch (const RecordTooLarge&) {
      // There was no scan, and a rare record is larger than usual chunks.
      scan_again(scan_.keeps_all_operations, options);
      return try_to_copy();
    }
  } catch (const UnknownRank&) {
    // Everything was to stay, but a communicator does not have a rank that an event names.
    scan_again(false, options);
    return try_to_copy();
  }
}

}  // namespace tracefold
