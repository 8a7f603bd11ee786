// Adds up the I/O operations of one location by file: those that are recorded with begin and end.
//
// MPI's operations on files are made of those of the layer below, which may be recorded, too: an
// operation that runs inside of one on the same file through another layer (OTF2's I/O paradigm)
// is a part of that one, and counts neither time nor bytes again. A blocking operation whose end is
// not recorded is over where the next one of its handle begins.
//
// One location, records in order. Source: OTF2 3.0, I/O records.
#pragma once

#include "model/program/program_files.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// A file that is defined, or a handle of which no file is known.
struct FileId {
  bool is_handle = false;
  std::uint64_t id = 0;

  auto operator<=>(const FileId&) const = default;
};
auto list_members(Like<FileId> auto& file) {
  return std::tie(file.is_handle, file.id);
}

const std::string& name_file(const Definitions& definitions, const FileId& file);

class FileRecorder {
 public:
  static constexpr bool is_wanted(EventKind kind) {
    using enum EventKind;
    return kind == IoOperationBegin || kind == IoOperationComplete || kind == IoOperationCancelled;
  }

  // A record of a kind that is wanted.
  void add(const Event& event, const Definitions& definitions);
  // What never ends counts nowhere.
  std::map<FileId, FileOperations> take() { return std::move(files_); }

 private:
  struct Open {
    std::uint64_t handle = 0, matching_id = 0;
    FileId file;
    std::uint64_t paradigm = 0, mode = 0, begin = 0, request = 0;
    bool is_blocking = false;
    bool is_part = false;  // of another operation
  };
  void begin(const Event& event, const Definitions& definitions);
  void end(const Open& open, std::uint64_t time, std::uint64_t bytes);

  std::vector<Open> open_;
  std::map<FileId, FileOperations> files_;
};

}  // namespace tracefold
