// Where the files of an archive are, how large they are together, and what identifies them.
// Plain data; the functions look at the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

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

}  // namespace tracefold
