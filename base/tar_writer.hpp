// Writes a tar as every tar reads it (pax where that is needed, else ustar), with nothing in it
// that depends on who made it and when: the same files give the same bytes, with one version of
// libarchive and of what packs it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace tracefold {

enum class TarPacking : std::uint8_t { none, gzip, zstd };

// Where a tar goes instead of a folder.
struct TarOutput {
  TarPacking packing = TarPacking::none;
  std::optional<int> stream = {};  // it is written to this open file; none: it gets a name
};

// Writes these files of a folder, and its folders, whose names end in '/', in this order to
// `handle`, and returns how many bytes that took. Throws Error(output), also where the other end of
// a pipe has gone, Error(input) where a file cannot be read, and Error(interrupted); what was
// written is no whole tar then.
std::uint64_t pack_tar(const std::filesystem::path& folder, std::span<const std::string> names,
                       TarPacking packing, int handle);

}  // namespace tracefold
