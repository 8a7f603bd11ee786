// Checks files of an archive before libotf2 reads them. A damaged anchor file makes the
// library write beyond its memory, and damaged definitions may let it crash or never end.
//
// What passes is well-formed: chunks, records and their fields end where they say, and so
// does the file. The meaning of the fields is not checked. Thread-safe. All functions throw
// Error(input) where a file is missing or damaged.
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

// What an anchor file that passes says of its archive that a libotf2 may not be able to read: files
// that are packed or compressed, or a later format. None where there is nothing of that.
std::optional<std::string> describe_unusual_format(const std::filesystem::path& anchor);

// `chunk_size` in bytes, as the anchor says.
//
// Returns the regions without a role, ascending by their place, as development versions of OTF2 1.1
// wrote them: their records end behind the canonical name, and libotf2 takes the missing fields
// from the bytes of the next record.
struct RegionWithoutRole {
  std::uint64_t id = 0;
  std::uint8_t type = 0;  // OTF2_RegionType, which has become role and paradigm

  bool operator==(const RegionWithoutRole&) const = default;
};
std::vector<RegionWithoutRole> check_definition_file(const std::filesystem::path& file,
                                                     std::uint64_t chunk_size);
// How many kinds of markers and markers the file holds.
std::uint64_t check_marker_file(const std::filesystem::path& file, std::uint64_t chunk_size);

}  // namespace tracefold
