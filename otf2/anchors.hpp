// Which files are named like anchor files of traces. Thread-safe.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace tracefold {

inline constexpr const char* anchor_ending = ".otf2";

// The regular files of a folder that are named so, sorted by name. `problem` is set where the
// folder cannot be read to its end; the files found before are returned.
std::vector<std::filesystem::path> list_anchors(const std::filesystem::path& folder,
                                                std::error_code& problem);

}  // namespace tracefold
