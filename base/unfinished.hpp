// What is removed also where a process ends without unwinding: its hidden outputs.
//
// Thread-safe.
#pragma once

#include <filesystem>
#include <mutex>

namespace tracefold {

// From now on this file or folder is one, or is none any more.
void add_unfinished(const std::filesystem::path& path);
void forget_unfinished(const std::filesystem::path& path);

// Held while something unfinished gets its final name and is forgotten, so that nobody removes the
// half of it.
std::unique_lock<std::mutex> lock_naming();

// Removes a hidden output while other processes may still write into it, or give it its final name:
// by its path they reach nothing of it any more, and nothing of it is removed that has that name.
void remove_for_good(const std::filesystem::path& path);

// Removes all of it, and lets nothing get its final name any more: whoever tries waits for ever.
// For a thread that then ends the process. A second call does nothing.
void remove_unfinished();

}  // namespace tracefold
