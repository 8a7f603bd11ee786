// Writes a tar that every tar program reads (ustar, and pax where needed). It depends only on the
// files, not on who packs them and when: equal files give equal bytes, with one version of the
// libraries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace tracefold {

enum class TarPacking : std::uint8_t { none, gzip, zstd };

// Asks for a tar in place of a folder.
struct TarOutput {
  TarPacking packing = TarPacking::none;
  std::optional<int> stream = {};  // an open file to write to; none: a new file is made
};

// Writes these files and folders of `folder` to `handle`, in this order; names of folders end in
// '/'. Returns the number of bytes written. Throws Error(output), also where the reader of a pipe
// has gone, Error(input) where a file cannot be read, and Error(interrupted). The tar is incomplete
// then.
std::uint64_t pack_tar(const std::filesystem::path& folder, std::span<const std::string> names,
                       TarPacking packing, int handle);

}  // namespace tracefold
