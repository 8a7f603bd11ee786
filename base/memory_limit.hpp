// How much memory the program should use. Passes take it as a guide; the program also keeps its
// heap within it (cli/spilling_heap.hpp). Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace tracefold {

inline constexpr std::uint64_t unlimited_memory = std::numeric_limits<std::uint64_t>::max();

// A quarter of the memory of the machine or, where that is less, of the control group of this
// process (version 1 or 2, and the groups around it), in bytes. `root` is the folder of proc/ and
// sys/.
std::uint64_t default_memory_limit(const std::filesystem::path& root = "/");

// Tells glibc how much of the memory that is freed it keeps for later blocks: a 64th of the limit
// in each arena, 128 KiB at least and 32 MiB at most. Without this, the system takes each large
// block back when a pass ends and clears its pages again for the next one. Call it before threads
// begin.
void keep_freed_memory(std::uint64_t limit);

}  // namespace tracefold
