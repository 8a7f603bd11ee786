// Unpacks a tar that nobody trusts: pax, ustar, GNU's and older ones, plain or packed by gzip,
// zstd, xz or bzip2.
//
// Only regular files are made, below a folder of ours, by names that lead nowhere else; links,
// devices, holes, absolute names, "..", control characters, files that come twice and an end that
// is missing are errors. No file is larger than what the tar itself brings, so a small tar with
// holes makes no large file. What comes is bounded, also where it never ends.
//
// libarchive reads the records; files are opened here, not by it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// As many bytes of a file are enough to tell.
inline constexpr std::size_t longest_tar_begin = 512;
// Whether a file that begins so is a tar; some very old ones do not.
bool begins_as_plain_tar(std::string_view begin);
// How the name of a file ends that is a tar, plain or packed, as in ".tar.zst"; else empty.
std::string_view find_tar_ending(std::string_view file);
// Whether it is one, or packed, as other files are as well.
bool begins_as_tar(std::string_view begin);

struct UnpackedTar {
  std::vector<std::string> files;  // as they came, relative to the folder
  std::uint64_t skipped = 0;       // regular files that were not wanted
};

struct TarBound {
  std::uint64_t most_bytes = 0;
  // What messages call the free space that is the reason, as "half of the free space in /tmp";
  // empty where somebody has asked for the bound.
  std::string free_space = {};
};

// The parts of a name, without "." at its begin.
using IsWanted = std::function<bool(std::span<const std::string> parts)>;

// Reads `handle` to its end, behind the bytes `begin` that were read of it already. Files that are
// wanted are made in `folder`, which is empty, belongs to us and is open to nobody else. Throws
// Error(input) where it is no tar, or one of the above, or brings more than the bound, each member
// counted as 4 KiB at least; Error(output) where a file cannot be written, or free space is the
// bound, and Error(interrupted). What was made stays then, and is for the caller to remove.
UnpackedTar unpack_tar(int handle, std::string begin, const std::filesystem::path& folder,
                       const TarBound& bound, const IsWanted& is_wanted);

}  // namespace tracefold
