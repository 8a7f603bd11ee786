// Which existing folders a rewrite may replace where it is asked to: its own results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// The name of an entry that no rewrite has put into this folder: anything but the
// archive traces.otf2 with its files, whose anchor has the property TRACEFOLD::VERSION,
// and the plan beside it. None in an empty folder. Throws Error(output) where the folder
// cannot be read.
std::optional<std::string> find_foreign_entry(const std::filesystem::path& folder);

// Throws Error(output) where a rewrite into this folder would be refused: it exists and
// `force` is not set, or it is no folder, or it has a foreign entry.
void check_replaceable(const std::filesystem::path& folder, bool force);

}  // namespace tracefold
