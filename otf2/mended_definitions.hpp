// A copy of the global definitions that libotf2 can read.
//
// In development versions of OTF2 1.1, the records of regions end after the canonical name. libotf2
// takes the missing fields from the next record: it invents a role, or refuses the file where these
// bytes are no numbers, as before a record of 255 bytes or more. In the copy, the missing fields
// are 0.
//
// Source: OTF2 3.0.2, found by reading the code of its readers.
#pragma once

#include "base/pending.hpp"
#include "otf2/archive_files.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracefold {

// A temporary folder with the anchor and the global definitions of an archive, and nothing else.
// The destructor removes it. One thread.
class MendedDefinitions {
 public:
  // `chunk_size` is in bytes, from the anchor; the definitions have passed check_definition_file().
  // Throws Error(input) where they cannot be read, or nothing can be written to the folder.
  MendedDefinitions(const ArchivePaths& paths, std::uint64_t chunk_size);

  std::filesystem::path anchor() const { return folder_->path() / "traces.otf2"; }

 private:
  std::optional<Pending> folder_;
};

}  // namespace tracefold
