// Opens an OTF2 archive with libotf2 and reads its definitions, markers and properties. The
// events are read by event_reader.hpp.
#pragma once

#include "base/error.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

class NameCodes;
struct ArchiveParts;
struct LocationFiles;

// Immutable: readers in any number of threads may share it.
class Archive {
 public:
  // `anchor` is the path of the anchor file, `source` the tar that it was unpacked from, or empty.
  // Throws Error(input).
  Archive(const std::string& anchor, Diagnostics& diagnostics, const std::string& source = {});
  // A copy with codes in place of names. It has another identity, and its source is `-`, since no
  // file has these names.
  Archive(const Archive& named, NameCodes& codes);
  // One that others make up (merge_archives.hpp), whose folder stands for the anchor.
  Archive(ArchiveFacts facts, ArchiveParts parts);

  const ArchivePaths& paths() const { return paths_; }
  // What to give to a command to read the trace again: the absolute path of the anchor, or the tar
  // that it was unpacked from, or the folder of the archives that make it up; `-` where there is no
  // such file.
  const std::string& source() const { return source_; }
  const ArchiveFacts& facts() const { return facts_; }
  const Definitions& definitions() const { return facts_.definitions; }

  // Sizes of the chunks of event and definition files, in bytes. Both are 0 where the files are
  // packed or compressed (see wire.hpp).
  std::uint64_t event_chunk() const { return event_chunk_; }
  std::uint64_t definition_chunk() const { return definition_chunk_; }

  // The location must be defined.
  LocationFiles find_files(std::uint64_t location) const;
  // The archives that make it up, with names that are no codes; none where it is one of its own.
  std::vector<TracePart> read_parts() const;
  // The paths of these, or its own.
  std::vector<ArchivePaths> list_paths() const;

  TraceIdentity identity() const;
  // Bytes of all files. Asks the file system about each of them.
  std::uint64_t bytes() const;

 private:
  ArchivePaths paths_;
  std::string source_;
  ArchiveFacts facts_;
  std::shared_ptr<const ArchiveParts> parts_;  // null: it is one of its own
  bool has_codes_ = false;
  std::uint64_t event_chunk_ = 0;
  std::uint64_t definition_chunk_ = 0;
};

}  // namespace tracefold
