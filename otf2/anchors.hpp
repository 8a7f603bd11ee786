// Which files are called as anchor files of traces. Any thread may ask.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace tracefold {

inline constexpr const char* anchor_ending = ".otf2";

// The regular files in a folder that are called so, by name. `problem` says why the folder cannot
// be read; files that were found before count.
std::vector<std::filesystem::path> list_anchors(const std::filesystem::path& folder,
                                                std::error_code& problem);

}  // namespace tracefold
