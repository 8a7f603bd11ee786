// Keeps the heap of a program within a limit: large blocks beyond it lie in a temporary file, from
// which the system reads them as they are needed. So a limit costs time, and never what is found.
//
// A program that links this replaces the global `operator new` and `operator delete`, so it belongs
// to programs alone: who embeds the library keeps its own. Until spill_beyond() is called, and in
// builds with sanitizers, whose own allocators go first, they only hand on to malloc and free.
// Blocks of less than 32 KiB always stay in memory.
//
// A copy of the process (fork) writes its new blocks into a file of its own. It shares with the
// first process the blocks that are there already, whose places it never uses again.
//
// Thread-safe. Source: mmap(2), madvise(2) (MADV_DONTNEED leaves shared pages to their file).
#pragma once

#include <cstdint>
#include <filesystem>

namespace tracefold::cli {

// From now on new blocks lie in a file without a name in this folder where the program's own memory
// would be more than so many bytes with them; what is there already stays where it is. Where the
// folder has no room, or the system does not tell how much memory is used, blocks stay in memory.
// Call it before threads begin.
void spill_beyond(std::uint64_t bytes, const std::filesystem::path& folder);

// Bytes of blocks that lie in the file now.
std::uint64_t count_spilled_bytes();

}  // namespace tracefold::cli
