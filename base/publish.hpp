// Output folders and files that appear whole or not at all.
#pragma once

#include "base/pending.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Which existing folder an output may replace, besides an empty one.
struct Replacement {
  bool force = false;           // false: none
  std::filesystem::path input;  // what is read; a folder that holds it is never replaced
  // Looks at an existing folder. Returns the name of an entry that no output of this program has,
  // so that the folder may not be replaced; none where there is no such entry.
  std::function<std::optional<std::string>(const std::filesystem::path&)> find_foreign_entry;
};

// Throws Error(output) where the folder exists, is not empty, and may not be replaced.
void check_replaceable(const std::filesystem::path& folder, const Replacement& replacement);

// A hidden folder beside the final one. publish() renames it; without that call the destructor
// removes it with its content. One thread.
class PendingFolder {
 public:
  // Throws Error(output) where the final folder exists and may not be replaced, or where
  // nothing can be made beside it.
  PendingFolder(const std::filesystem::path& final, Replacement replacement);

  const std::filesystem::path& path() const { return pending_->path(); }
  // Other processes write into it, too (Pending::expect_others).
  void expect_others() { pending_->expect_others(); }
  // Syncs all files to the device and renames the folder. An existing folder is exchanged in one
  // step, where the file system can do that, and then removed. Throws Error(output).
  void publish();

 private:
  std::filesystem::path final_;
  Replacement replacement_;
  std::optional<Pending> pending_;
};

// Syncs these files of the folder to the device. Throws Error(output).
void sync_files(const std::filesystem::path& folder,
                const std::vector<std::filesystem::path>& files);

// Writes a whole file; throws Error(output).
void write_file(const std::filesystem::path& file, const std::string& content);

// Throws Error(output) where the file exists and either `force` is not set or it is not regular.
void check_file_replaceable(const std::filesystem::path& file, bool force);

// Throws Error(output) where publish_file() would: as check_file_replaceable() and
// check_writable() do.
void check_file_output(const std::filesystem::path& file, bool force);

// Who may read a file: those that may read usual new files, or only its owner.
enum class FileReaders : std::uint8_t { as_usual, owner };

// Writes a whole file like write_file(), but it appears whole or not at all. Throws as
// check_file_replaceable() does, too.
void publish_file(const std::filesystem::path& file, const std::string& content, bool force,
                  FileReaders readers = FileReaders::as_usual);

// Renames a complete file of the same file system to its final name. Throws as
// check_file_replaceable() does, too.
void publish_made_file(const std::filesystem::path& made, const std::filesystem::path& file,
                       bool force);

}  // namespace tracefold
