// Opening an OTF2 archive by libotf2 and reading its definitions.
#pragma once

#include "base/error.hpp"
#include "otf2/definition.hpp"
#include "otf2/trace_identity.hpp"

#include <otf2/otf2.h>

#include <filesystem>
#include <memory>
#include <string>

namespace tracefold {

// Where the files of an archive are.
struct ArchivePaths {
  std::filesystem::path anchor;

  std::filesystem::path folder() const { return anchor.parent_path() / anchor.stem(); }
  std::filesystem::path definitions() const {
    return std::filesystem::path(anchor).replace_extension(".def");
  }
  std::filesystem::path events(std::uint64_t location) const {
    return folder() / (std::to_string(location) + ".evt");
  }
  std::filesystem::path local_definitions(std::uint64_t location) const {
    return folder() / (std::to_string(location) + ".def");
  }
};

// An opened archive with its definitions. Immutable: readers in any number of
// threads may share it. Throws Error(input).
class Archive {
 public:
  explicit Archive(const std::string& anchor, Diagnostics& diagnostics);

  const ArchivePaths& paths() const { return paths_; }
  const ArchiveFacts& facts() const { return facts_; }
  const Definitions& definitions() const { return facts_.definitions; }
  TraceIdentity identity() const;
  std::uint64_t bytes() const;  // of all its files; asks the file system for each
  // In bytes; 0 where the files are not plain chunks that can be read one by one.
  std::uint64_t event_chunk() const { return event_chunk_; }
  std::uint64_t definition_chunk() const { return definition_chunk_; }

 private:
  ArchivePaths paths_;
  ArchiveFacts facts_;
  std::uint64_t event_chunk_ = 0, definition_chunk_ = 0;
};

namespace detail {

// What libotf2 said last in this thread, instead of printing it.
std::string take_otf2_message();
void silence_otf2();

struct ReaderCloser {
  void operator()(OTF2_Reader* r) const { OTF2_Reader_Close(r); }
};
using ReaderHandle = std::unique_ptr<OTF2_Reader, ReaderCloser>;
ReaderHandle open_reader(const std::filesystem::path& anchor);

}  // namespace detail

}  // namespace tracefold
