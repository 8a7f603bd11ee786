// An archive that was written as a stream: one tar of its files, with the anchor as the last entry.
// So a stream that was cut is no trace, and is seen to be none.
#pragma once

#include "base/tar_writer.hpp"

#include <cstdint>
#include <filesystem>

namespace tracefold {

// Packs all of the folder of an archive, which is the top of the tar, to an open file, and returns
// how many bytes that took. The same files give the same bytes. Throws as pack_tar() does.
std::uint64_t pack_archive(const std::filesystem::path& folder, TarPacking packing, int handle);

// The same to a new file.
std::uint64_t pack_archive_to_file(const std::filesystem::path& folder, TarPacking packing,
                                   const std::filesystem::path& file);

}  // namespace tracefold
