// Bytes as one frame of zstd that tells its size and has a checksum of what it holds.
//
// Thread-safe: each thread keeps what zstd works with until it ends, for text some MiB; for
// sections, which take more, it does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

enum class FrameContent {
  text,         // what repeats is looked for everywhere
  differences,  // mostly noise: how often each byte comes tells more than what repeats
  sections,     // many megabytes, which may repeat themselves over all of their length
};

std::string pack_frame(std::string_view bytes, FrameContent content);

// How many bytes a frame says that it holds. Throws Error(input) where it is no frame that does.
std::uint64_t read_frame_size(std::string_view frame);

// What a frame holds, which must have this size. The frame is not trusted: the caller limits the
// size, and memory is taken only where the frame says the same. Throws Error(input) where it is
// damaged.
std::string unpack_frame(std::string_view frame, std::uint64_t size);

}  // namespace tracefold
