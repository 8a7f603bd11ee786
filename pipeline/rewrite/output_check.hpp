// Reads a new archive again before it is published.
//
// libotf2 reports success for writes that the device cut short, so what it wrote is
// always read: anchor, definitions, markers. Events cost as much time to read as there
// are; they are read where that is asked for.
//
// Source: docs/design.md, "Rules of rewriting", as far as they can be told without the original.
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace tracefold {

// Throws Error(output) where the archive does not open, or does not hold as many
// definitions as were written.
void check_definitions(const std::filesystem::path& anchor, std::size_t definitions);

// Whether the archive's locations hold what was written: as many records of each kind,
// calls that nest and are all left, times that never step back, and no id that is not
// defined. In parallel, and by all members of a team together. Throws Error(output) that names
// the first location and rule.
void check_events(const std::filesystem::path& anchor, const std::vector<WrittenLocation>& written,
                  const ReadOptions& options);

}  // namespace tracefold
