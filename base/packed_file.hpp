// A file of named sections, each packed by zstd, such as tracefold.messages beside a plan.
//
// The file is the line "tracefold packed 1" and then for each section: the length of its name (4
// bytes), the name, its size unpacked and packed (8 bytes each), and one frame of zstd. Numbers are
// little-endian. Equal sections give equal bytes, with one version of zstd.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tracefold {

using PackedSections = std::map<std::string, std::string>;  // the unpacked content, by name

std::string pack_sections(const PackedSections& sections);

// The input is not trusted. Throws Error(input) where the file is of another kind or version, or
// damaged, and where its sections together are larger than `most_bytes`.
PackedSections unpack_sections(std::string_view file, std::uint64_t most_bytes);

}  // namespace tracefold
