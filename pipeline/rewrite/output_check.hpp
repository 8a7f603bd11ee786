// Reads a new archive before it is published.
//
// libotf2 reports success for writes that the device cut short. So anchor, definitions and markers
// are always read; events only if asked for, since that takes time.
//
// Source: docs/design.md, "Rules of rewriting", as far as they can be told without the original.
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace tracefold {

// Throws Error(output) if the archive cannot be opened, or has another number of definitions.
void check_definitions(const std::filesystem::path& anchor, std::size_t definitions);

// Checks that locations hold as many records of each kind as were written, that calls nest and are
// all left, that times never decrease, and that all ids are defined. Runs in parallel, and on all
// members of a team. Throws Error(output) that names the first location and rule.
void check_events(const std::filesystem::path& anchor, const std::vector<WrittenLocation>& written,
                  const ReadOptions& options);

}  // namespace tracefold
