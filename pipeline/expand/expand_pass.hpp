// expand: a reduced trace, and the messages beside it, become an approximate trace of all the
// processes that were folded, or of some of them.
//
// Each process has the operations of its own rank, exactly, and the calls of a kept process: one
// with the same operations where there is one, else the one that stands for it. Times are those of
// the calls, scaled to the gap times of the rank, and in MPI to what tracefold.profiles tells of
// its call paths, and pushed on where a message would arrive before it was sent. One-sided and file
// operations are those of its rank, too, with what accompanies them. Metrics and other records are
// left out. Operations whose process has no call for them get one of their own.
//
// Passes: templates (the kept locations are read, in parallel), order (all processes side by
// side, one thread, order_pass.hpp), writing (in parallel).
//
// Source: signatures 4 (replay of what a representative tells); docs/design.md,
// "Rules of rewriting".
#pragma once

#include "base/error.hpp"
#include "base/tar_writer.hpp"
#include "model/location_list.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracefold {

struct ExpandOptions : ReadOptions {
  bool force = false;
  std::optional<TarOutput> tar = {};      // none: a folder is made
  std::optional<LocationList> locations;  // of the original; none: all
};

struct ExpandSummary {
  std::uint64_t locations = 0, in_original = 0;  // expanded, and all
  std::uint64_t events = 0;                      // written
  std::uint64_t messages = 0, collectives = 0;   // records of sends, and ends of collectives
  std::uint64_t one_sided = 0, files = 0;        // operations
};

// Writes OUT/traces.otf2, or a tar of it. The folder appears whole or not at all. The result does
// not depend on the number of threads. Throws Error(input) where the trace was not reduced, or has
// no complete messages beside it that belong to it; Error(usage) where a location is not stood for;
// Error(output), Error(interrupted).
ExpandSummary expand(const Archive& reduced, const std::filesystem::path& out,
                     const ExpandOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
