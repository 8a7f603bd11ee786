// Checks the files of definitions and markers before libotf2 reads them: on one
// that is damaged the library may crash or go on for ever.
//
// What passes is well-formed: chunks, records and their fields end where they
// say, and the file where its mark is. What the fields mean is not looked at.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tracefold {

// `chunk_size` in bytes, as the anchor says. Throws Error(input).
void check_definition_file(const std::filesystem::path& file, std::uint64_t chunk_size);
void check_marker_file(const std::filesystem::path& file, std::uint64_t chunk_size);

}  // namespace tracefold
