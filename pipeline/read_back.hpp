// Reads what libotf2 wrote of a new archive before it is published: the library
// reports success for writes that the device cut short.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tracefold {

// Throws Error(output) where the archive does not open, or does not hold as many
// definitions as were written.
void read_back(const std::filesystem::path& anchor, std::size_t definitions);

}  // namespace tracefold
