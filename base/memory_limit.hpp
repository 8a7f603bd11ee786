// How much memory the program should use. Passes that could hold everything in memory ask how much
// they may take; the limit is a guide and is not enforced. Thread-safe.
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

// Tells the C library (glibc) how much of what is freed it keeps for what comes, in a program that
// should do with so many bytes.
void keep_freed_memory(std::uint64_t limit);

}  // namespace tracefold
