// Writes a trace as a file for viewers, in a format that the caller chooses (model/viewers).
//
// Every location is read twice: once for what has to be known before
// (pipeline/viewers/view_events.hpp), and once for its events. Each location's part of the file is
// made by itself, in parallel, and then they are put one behind the other; so memory does not grow
// with the length of the trace, and the result does not depend on the number of threads.
#pragma once

#include "model/viewers/view_writer.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/viewers/representative_names.hpp"

#include <filesystem>

namespace tracefold {

// Makes `file`. `folder` exists and is empty; parts lie there until they are put together. `names`
// says what kept processes stand for. Throws Error(input), Error(output), Error(interrupted).
void write_view(const Archive& archive, const RepresentativeNames& names, const ViewFormat& format,
                const std::filesystem::path& folder, const std::filesystem::path& file,
                const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
