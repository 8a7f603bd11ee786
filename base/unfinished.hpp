// Lists the hidden outputs of this process, so that they can be removed where it ends without
// unwinding.
//
// Thread-safe.
#pragma once

#include <filesystem>
#include <mutex>

namespace tracefold {

// Adds a file or folder to the list, or takes it off.
void add_unfinished(const std::filesystem::path& path);
void forget_unfinished(const std::filesystem::path& path);

// Hold this while an output gets its final name and is taken off the list, so that nobody removes
// half of it.
std::unique_lock<std::mutex> lock_naming();

// Removes a hidden output while other processes may still write into it or rename it. It is renamed
// first, so that they no longer reach it by its path, and an output that has its final name stays.
void remove_for_good(const std::filesystem::path& path);

// Removes everything on the list, and blocks every later renaming for ever. Only for a thread that
// then ends the process. A second call does nothing.
void remove_unfinished();

}  // namespace tracefold
