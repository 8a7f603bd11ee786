// The files of one trace, as they are at one moment, and how they are deleted.
#pragma once

#include "otf2/archive_files.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct TraceFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0, inode = 0;
  std::int64_t modified_seconds = 0, modified_nanoseconds = 0;

  bool operator==(const TraceFile&) const = default;
};

struct TraceFiles {
  std::vector<TraceFile> files;  // the anchor first, the others in the order of their names
  // Why they may not all be deleted: a link, or what no trace has in its folder; empty: they may.
  std::string oddity;

  bool operator==(const TraceFiles&) const = default;
};

TraceFiles list_trace_files(const ArchivePaths& paths);

// The anchor goes first, so that what is left of an attempt that ends early is no trace any more.
// The folder of event files goes where it is empty then. Returns what could not be deleted, and
// why; none: all is gone.
std::optional<std::string> delete_trace(const ArchivePaths& paths, const TraceFiles& files);

}  // namespace tracefold
