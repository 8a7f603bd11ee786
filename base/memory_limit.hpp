// How much memory the program should do with.
//
// Passes that could hold everything at once ask it how much of that they may; it is a
// measure to go by, not a wall. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace tracefold {

inline constexpr std::uint64_t unlimited_memory = std::numeric_limits<std::uint64_t>::max();

// A quarter of the memory that this process may have, in bytes: of the machine, or of
// the control group that it runs in (version 1 or 2, with those around it) where that
// is less. `root` is where proc/ and sys/ are.
std::uint64_t default_memory_limit(const std::filesystem::path& root = "/");

// From now on blocks of a mebibyte or more go back to the system when they are freed. Else the C
// library (glibc) keeps room for more of their size, in which others leave gaps.
void give_large_blocks_back();

}  // namespace tracefold
