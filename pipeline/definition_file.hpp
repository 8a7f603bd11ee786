// Checks the framing of a definition file before libotf2 reads it: on one that
// was cut short the library may go on for ever.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tracefold {

// `chunk_size` in bytes, as the anchor says. Throws Error(input).
void check_definition_file(const std::filesystem::path& file, std::uint64_t chunk_size);

}  // namespace tracefold
