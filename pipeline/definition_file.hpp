// Checks the framing of a definition file before libotf2 reads it: on one that
// was cut short the library may go on for ever.
//
// Chunks of a fixed size each begin with 0x03, the byte order (0x42 little,
// 0x23 big) and two u64; records are a type byte, a length byte (0xff: u64
// follows) and that many bytes; 0x02 or zeros end a chunk, 0x01 behind it the
// file.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tracefold {

// `chunk_size` in bytes, as the anchor says. Throws Error(input).
void check_definition_file(const std::filesystem::path& file, std::uint64_t chunk_size);

}  // namespace tracefold
