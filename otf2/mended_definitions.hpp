// A copy of the global definitions that libotf2 can read.
//
// Development versions of OTF2 1.1 ended the records of regions behind the canonical name. libotf2
// takes the fields that are missing from the record that follows: it invents a role, and refuses
// the file where these bytes make no numbers, as before a record of 255 bytes or more. In the copy
// these regions have the missing fields, with the value 0.
//
// Source: OTF2 3.0.2, found by reading the code of its readers.
#pragma once

#include "base/pending.hpp"
#include "otf2/archive_files.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracefold {

// A folder among the temporary files of the system, with the anchor and the global definitions of
// an archive and nothing else. It is removed with the object. One thread.
class MendedDefinitions {
 public:
  // `chunk_size` in bytes, as the anchor says; the definitions have passed check_definition_file.
  // Throws Error(input) where they cannot be read, or nothing can be written there.
  MendedDefinitions(const ArchivePaths& paths, std::uint64_t chunk_size);

  std::filesystem::path anchor() const { return folder_->path() / "traces.otf2"; }

 private:
  std::optional<Pending> folder_;
};

}  // namespace tracefold
