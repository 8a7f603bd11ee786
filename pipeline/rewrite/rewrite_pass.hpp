// rewrite: the kept locations, read again, cut and written into a new archive.
#pragma once

#include "model/plan.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <array>
#include <filesystem>

namespace tracefold {

// Whether the written events are read again before they are published: where there are
// few beside those that were read, always, or never.
enum class CheckOutput { where_cheap, always, never };

struct RewriteOptions : ReadOptions {
  CheckOutput check = CheckOutput::where_cheap;
  bool keep_ids = false;
  bool plain_names = false;
  bool force = false;
};

struct RewriteSummary {
  std::uint64_t read = 0;                              // records of the kept locations
  std::uint64_t locations = 0, events = 0, bytes = 0;  // of the new archive
  std::array<std::uint64_t, event_kinds> cut{};        // records left out, by kind
  bool checked = false;                                // the events were read again
};

// Writes OUT/traces.otf2 as the plan says, with the plan beside it. Where
// something is left out, a scan of the kept locations first finds what they name
// and which messages stay. A plan without processes
// was not profiled, may not have filters, and keeps every process. The
// folder appears whole or not at all. The result does not depend on the number
// of threads. Throws Error(input), Error(output), Error(interrupted).
RewriteSummary rewrite(const Archive& archive, const Plan& plan, const std::filesystem::path& out,
                       const RewriteOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
