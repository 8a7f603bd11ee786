// What an archive that several make up (merge_archives.hpp) knows of each of these: where its files
// are, and what its ids and times become. Plain data.
#pragma once

#include "otf2/archive_files.hpp"
#include "otf2/local_definitions.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct ArchivePart {
  ArchivePaths paths;
  TracePart name;  // without its identity
  std::uint64_t event_chunk = 0, definition_chunk = 0;
  std::array<IdMap, ref_kinds> ids;
  ClockShift clock;
};

struct ArchiveParts {
  std::string folder;  // from which their anchors are named
  std::vector<ArchivePart> parts;
  // The part that a location is in, and its id there; by location.
  std::vector<std::pair<std::size_t, std::uint64_t>> locations;
};

// The files of one location.
struct LocationFiles {
  std::filesystem::path events, local_definitions;
  // As Archive has them.
  std::uint64_t event_chunk = 0, definition_chunk = 0;
  const ArchivePart* part = nullptr;  // null where the archive is one of its own

  // What one of them is called: 3.evt, or rank7/traces/3.evt where the run has several archives.
  std::string name(const std::filesystem::path& file) const;
};

}  // namespace tracefold
