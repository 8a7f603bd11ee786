// Checks the anchor file of an archive before libotf2 reads it: counts in one
// that is damaged make the library write beyond its memory.
//
// Source: OTF2 3.0.2, read off its reader of anchor files.
#pragma once

#include <filesystem>

namespace tracefold {

// Throws Error(input) where the file is missing, no anchor, or damaged.
void check_anchor_file(const std::filesystem::path& anchor);

}  // namespace tracefold
