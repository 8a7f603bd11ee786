// Reads a new archive again before it is published: libotf2 reports success
// for writes that the device cut short.
#pragma once

#include "pipeline/profile_pass.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tracefold {

// Throws Error(output) where the archive does not open, or a location does not
// hold as many records as were written. `ids` and `events` go together.
void read_back(const std::filesystem::path& anchor, const std::vector<std::uint64_t>& ids, const std::vector<std::uint64_t>& events, std::size_t definitions);

}  // namespace tracefold
