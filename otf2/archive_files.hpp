// Where the files of an archive are, how large they are together, and what identifies them.
// Plain data; the functions look at the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tracefold {

struct ArchivePaths {
  std::filesystem::path anchor;  // FOLDER/NAME.otf2

  std::filesystem::path folder() const { return anchor.parent_path() / anchor.stem(); }
  std::filesystem::path definitions() const {
    return std::filesystem::path(anchor).replace_extension(".def");
  }
  std::filesystem::path markers() const {
    return std::filesystem::path(anchor).replace_extension(".marker");
  }
  std::filesystem::path events(std::uint64_t location) const {
    return folder() / (std::to_string(location) + ".evt");
  }
  std::filesystem::path local_definitions(std::uint64_t location) const {
    return folder() / (std::to_string(location) + ".def");
  }
};

// Bytes of all files of an archive. Those that are missing do not count.
std::uint64_t count_bytes(const ArchivePaths& paths);

// Identifies the content of an archive, so that a plan fits it after it was moved or copied.
struct TraceIdentity {
  std::uint64_t size = 0;  // bytes of the anchor and the global definitions
  // The hash of both files, and of the names and sizes of all event files; hexadecimal.
  std::string sha256;

  bool operator==(const TraceIdentity&) const = default;
};

// Throws Error(input) where a file is missing.
TraceIdentity read_identity(const ArchivePaths& paths);

// One archive of a run that several make up (merge_archives.hpp), and where it is put in that.
struct TracePart {
  std::string anchor;      // from the folder of the run
  std::uint64_t rank = 0;  // ascending from part to part
  // The tick of the run's clock at which its clock properties say that it begins.
  std::uint64_t begin = 0;
  // Parts of one number have times that can be compared to the tick.
  std::uint64_t clock = 0;
  TraceIdentity identity;

  bool operator==(const TracePart&) const = default;
};

// Of the whole run: another order, or another time, makes it another one.
TraceIdentity join_identities(const std::vector<TracePart>& parts);

}  // namespace tracefold
