// Event and local definition files as other machines and tools write them:
// either byte order, small last chunks, mapping tables of both kinds, clock
// offsets. A second, plain way to write the format, to test readers with.
#pragma once

#include "otf2/event.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace tracefold::testing {

// Rewrites all event files of an archive that write_archive made, and gives
// every location mapping tables and clock offsets.
void make_foreign(const std::filesystem::path& folder,
                  const std::map<std::uint64_t, std::vector<Event>>& events, bool big_endian);

}  // namespace tracefold::testing
