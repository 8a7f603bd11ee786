// rewrite: the kept locations, read again, cut and written into a new archive.
//
// Readings of `reduce`, and why they cannot be one:
//   profile  all locations: only all profiles together tell which locations are kept.
//   scan     kept locations: what all of them use gives the dense new ids that the first copied
//            event needs already, and whether a receive stays is told by a record behind the one
//            that begins it (scan_pass.hpp). Where every record stays there is no scan.
//   copy     kept locations.
// To keep what a scan would find in the profile, for all locations, costs every trace a look at
// each record and memory that grows with the messages; to keep the kept events from scan to copy,
// memory that grows with the trace. So the scan is made cheap instead: where no call is dropped
// and no iteration is collapsed it reads the events as they are recorded.
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
  // The written events are read again before they are published: in any case, or only where they
  // are few beside those that were read.
  bool verify = false;
  bool keep_ids = false;
  bool plain_names = false;
  bool force = false;
  // What the file tracefold.profiles may take at most; 0: it is not made; none: 1 MiB, or 1 % of
  // the trace, or what the file of a trace takes that was reduced before, whichever is most.
  std::optional<std::uint64_t> most_profiles = {};
  // Processes that stand for others record how long these compute and wait in each iteration.
  bool member_metrics = true;
  bool draws_messages = true;  // records of messages stay where both of their ends do
  TreeChoice tree = TreeChoice::machine;
  std::optional<TarOutput> tar = {};  // none: a folder is made
};

struct RewriteSummary {
  std::uint64_t read = 0;                              // records of the kept locations
  std::uint64_t locations = 0, events = 0, bytes = 0;  // of the new archive, with its plan
  std::uint64_t halo = 0;                              // so many of the locations are
  std::uint64_t sends = 0;                             // that were written, of messages
  std::array<std::uint64_t, event_kinds> cut{};        // records left out, by kind
  // How exact the file tracefold.profiles is; none: it is not there.
  std::optional<ProgramDetail> profiles;
  bool checked = false;      // the events were read again
  bool is_view = false;      // it is a file for viewers, with nothing beside it
  bool is_tar = false;       // it is packed, and the bytes are those of the tar
  bool is_estimate = false;  // nothing was written: the bytes are those that it would take, about
};

// Writes OUT/traces.otf2 as the plan tells, with the plan beside it, or a tar of both. A plan
// without processes is of a trace that was not profiled; it has no filters, and every process is
// kept. The folder appears whole or not at all. The result does not depend on the number of
// threads. Throws Error(input), Error(output), Error(interrupted).
RewriteSummary rewrite(const Archive& archive, const Plan& plan, const std::filesystem::path& out,
                       const RewriteOptions& options, const ReadOptions& reading,
                       Diagnostics& diagnostics);

// Writes the same trace as a file for viewers, with nothing beside it. It is made of an archive in
// a hidden folder beside it, which is checked as above. The file appears whole or not at all.
RewriteSummary rewrite_as_view(const Archive& archive, const Plan& plan, const ViewFormat& format,
                               const std::filesystem::path& file, const RewriteOptions& options,
                               const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
