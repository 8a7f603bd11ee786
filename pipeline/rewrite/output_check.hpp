// Reads a new archive again before it is published.
//
// libotf2 reports success for writes that the device cut short, so what it wrote is
// always read: anchor, definitions, markers. Events cost as much time to read as there
// are; they are read where that is asked for.
//
// Source: DESIGN's rules of rewriting, as far as they can be told without the original.
#pragma once

#include "otf2/event.hpp"
#include "otf2/otf2_archive.hpp"
#include "otf2/read_options.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace tracefold {

// What was written of one location.
struct WrittenLocation {
  std::uint64_t id = 0;
  std::uint64_t records = 0;
  std::array<std::uint64_t, event_kinds> others{};  // records by kind, but for Enter and Leave
};

// Throws Error(output) where the archive does not open, or does not hold as many
// definitions as were written.
void check_definitions(const std::filesystem::path& anchor, std::size_t definitions);

// Whether the archive's locations hold what was written: as many records of each kind,
// calls that nest and are all left, times that never step back, and no id that is not
// defined. In parallel. Throws Error(output) that names the first location and rule.
void check_events(const std::filesystem::path& anchor, const std::vector<WrittenLocation>& written,
                  const ReadOptions& options);

}  // namespace tracefold
