// rewrite: reads the kept locations again, cuts them, and writes them into a new archive.
//
// Why `reduce` reads a trace up to three times:
//   profile  all locations: which ones are kept depends on all profiles together.
//   scan     kept locations: the first copied event already needs the new ids, which depend on what
//            all kept locations use; and whether a receive stays depends on a later record
//            (scan_pass.hpp). There is no scan if every record stays.
//   copy     kept locations.
// To find the same in the profile would slow down every trace, and take memory for its messages; to
// keep events from scan to copy would take memory for the trace. Instead the scan is cheap: without
// dropped calls and collapsed iterations it reads raw events.
#pragma once

#include "base/tar_writer.hpp"
#include "model/plan_options.hpp"
#include "model/program/program_file.hpp"
#include "model/viewers/view_writer.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct RewriteOptions {
  // Always read the written events again before publishing; otherwise only if they are few beside
  // those that were read.
  bool verify = false;
  bool keep_ids = false;
  bool plain_names = false;
  bool force = false;
  // The most bytes of the file tracefold.profiles; 0: no file; none: the largest of 1 MiB, 1 % of
  // the trace and, if the trace was reduced before, its own such file.
  std::optional<std::uint64_t> most_profiles = {};
  // Add metrics of members: how long these compute and wait in each iteration.
  bool member_metrics = false;
  bool draws_messages = true;  // keep messages of which both ends stay
  TreeChoice tree = TreeChoice::machine;
  std::optional<TarOutput> tar = {};  // none: a folder is made
};

struct RewriteSummary {
  std::uint64_t read = 0;                              // records of the kept locations
  std::uint64_t locations = 0, events = 0, bytes = 0;  // of the new archive, with its plan
  std::uint64_t halo = 0;                              // how many of the locations are halo
  std::uint64_t sends = 0;                             // records of sent messages that were written
  std::array<std::uint64_t, event_kinds> cut{};        // records left out, by kind
  // How exact the file tracefold.profiles is; none: there is no file. And how many of the bytes are
  // in it.
  std::optional<ProgramDetail> profiles;
  std::uint64_t profiles_bytes = 0;
  bool checked = false;      // the events were read again
  bool is_view = false;      // a file for viewers, with nothing beside it
  bool is_tar = false;       // packed; `bytes` is the size of the tar
  bool is_estimate = false;  // nothing was written; `bytes` is estimated
  // The plan has a halo, but the result does not: with it, it was larger than what was read.
  bool left_out_halo = false;
};

// Writes OUT/traces.otf2 by the plan, with the plan beside it, or a tar of both. If the plan has no
// processes, the trace was not profiled: there are no filters, and every process is kept. The
// folder appears whole or not at all. Where the plan asks for the usual halo, and the files but
// tracefold.profiles are larger than the original with it, they are written without, before
// anything appears. The result does not depend on the number of threads. Throws Error(input),
// Error(output), Error(interrupted).
RewriteSummary rewrite(const Archive& archive, const Plan& plan, const std::filesystem::path& out,
                       const RewriteOptions& options, const ReadOptions& reading,
                       Diagnostics& diagnostics);

// Writes the same trace as a file for viewers, with nothing beside it: makes an archive in a hidden
// folder, checks it as above, and converts it. The file appears whole or not at all.
RewriteSummary rewrite_as_view(const Archive& archive, const Plan& plan, const ViewFormat& format,
                               const std::filesystem::path& file, const RewriteOptions& options,
                               const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
