// Checks files of an archive before libotf2 reads them. A damaged anchor file makes the
// library write beyond its memory, and damaged definitions may let it crash or never end.
//
// A file passes where its chunks, records and fields end where they should, and the file, too. The
// meaning of fields is not checked. Thread-safe. All functions throw Error(input) where a file is
// missing or damaged.
//
// Source: OTF2 3.0.2, found by reading the code of its readers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

void check_anchor_file(const std::filesystem::path& anchor);

// Describes what some versions of libotf2 cannot read: packed or compressed files, or a later
// format. None where there is nothing of that. The anchor file must have passed the check.
std::optional<std::string> describe_unusual_format(const std::filesystem::path& anchor);

// What to do where files of an archive are missing.
inline constexpr const char* incomplete_archive =
    "the archive is incomplete: copy all of its files";
// What the anchor was called before it was renamed alone, as the only other files beside it say;
// none where it has files of its name, or several others are there.
std::optional<std::filesystem::path> find_renamed(const std::filesystem::path& anchor);

// Returns the regions without a role, in the order of the file. Development versions of OTF2 1.1
// wrote them: their records end after the canonical name, and libotf2 would take the missing fields
// from the next record. `chunk_size` is in bytes, from the anchor.
struct RegionWithoutRole {
  std::uint64_t id = 0;
  std::uint8_t type = 0;  // OTF2_RegionType, which has become role and paradigm

  bool operator==(const RegionWithoutRole&) const = default;
};
std::vector<RegionWithoutRole> check_definition_file(const std::filesystem::path& file,
                                                     std::uint64_t chunk_size);
// The number of marker kinds plus markers in the file.
std::uint64_t check_marker_file(const std::filesystem::path& file, std::uint64_t chunk_size);

}  // namespace tracefold
