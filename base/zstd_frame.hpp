// Packs bytes as one zstd frame, with their size and a checksum.
//
// Thread-safe. Each thread keeps zstd's memory until it ends, some MiB for text; not for sections,
// which need more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

enum class FrameContent {
  text,         // repetitions are searched everywhere
  differences,  // mostly noise: the frequencies of bytes tell more than repetitions
  sections,     // many megabytes, which may repeat over long distances
};

std::string pack_frame(std::string_view bytes, FrameContent content);

// The unpacked size that a frame states. Throws Error(input) where it is no frame, or states none.
std::uint64_t read_frame_size(std::string_view frame);

// Unpacks a frame to exactly `size` bytes. The frame is not trusted: the caller limits the size,
// and memory is taken only where the frame states the same size. Throws Error(input) where it is
// damaged.
std::string unpack_frame(std::string_view frame, std::uint64_t size);

}  // namespace tracefold
