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

// The same, in the folder and in those of so many levels below it; a few of them where these are
// very many. Folders that cannot be read have none.
std::vector<std::filesystem::path> find_anchors_below(const std::filesystem::path& folder,
                                                      int levels);

}  // namespace tracefold
