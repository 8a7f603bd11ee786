// Unpacks a tar that is not trusted: pax, ustar, GNU's and older formats, plain or packed by gzip,
// zstd, xz or bzip2.
//
// Only regular files are made, below a given folder. Links, devices, holes, absolute names, "..",
// control characters, repeated files and a missing end are errors. A file is never larger than the
// bytes that the tar brings for it, so a small tar with holes makes no large file. The whole is
// bounded, also where the stream never ends.
//
// libarchive parses the records; the files are opened here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// How many bytes of the beginning are enough to recognise a tar.
inline constexpr std::size_t longest_tar_begin = 512;
// Whether a file that begins like this is a plain tar. Some very old tars are not recognised.
bool begins_as_plain_tar(std::string_view begin);
// The ending of the name of a tar, plain or packed, such as ".tar.zst"; empty where it has none.
std::string_view find_tar_ending(std::string_view file);
// Whether a file that begins like this is a tar or packed. Packed files need not be tars.
bool begins_as_tar(std::string_view begin);

struct UnpackedTar {
  std::vector<std::string> files;  // in their order, relative to the folder
  std::uint64_t skipped = 0;       // regular files that were not wanted
};

struct TarBound {
  std::uint64_t most_bytes = 0;
  // How messages name the free space that the bound comes from ("half of the free space in /tmp");
  // empty where the user gave the bound.
  std::string free_space = {};
};

// `parts` are the parts of a file's name, without a leading ".".
using IsWanted = std::function<bool(std::span<const std::string> parts)>;

// Reads `handle` to its end; `begin` are the bytes that were already read of it. The wanted files
// are made in `folder`, which is empty and which only we can open. Throws Error(input) where it is
// no tar, breaks one of the rules above, or is larger than the bound (each member counts as 4 KiB
// at least); Error(output) where a file cannot be written, or where the bound comes from free
// space; and Error(interrupted). The caller removes what was made until then.
UnpackedTar unpack_tar(int handle, std::string begin, const std::filesystem::path& folder,
                       const TarBound& bound, const IsWanted& is_wanted);

}  // namespace tracefold
