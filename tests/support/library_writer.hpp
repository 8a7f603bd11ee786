// Event files as libotf2 writes them, to compare ours with.
#pragma once

#include "otf2/event.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace tracefold::testing {

// Writes FOLDER/traces/ID.evt for each location, of an archive that has nothing else.
void write_events_by_library(const std::map<std::uint64_t, std::vector<Event>>& events,
                             std::uint64_t chunk_size, const std::filesystem::path& folder);

}  // namespace tracefold::testing
