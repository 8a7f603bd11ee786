// An output folder that appears whole or not at all.
#pragma once

#include "base/pending.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// What may be replaced by an output folder.
struct Replacement {
  bool force = false;           // else nothing
  std::filesystem::path input;  // what is read: no folder that holds it is replaced
  // The name of an entry for the sake of which a folder is not replaced; none: it may be.
  std::function<std::optional<std::string>(const std::filesystem::path&)> find_foreign_entry;
};

// Throws Error(output) where there is something that may not be replaced.
void check_replaceable(const std::filesystem::path& folder, const Replacement& replacement);

// A hidden folder beside the final one. Whoever fills it calls publish(); without
// that, it is removed with everything in it. One thread.
class PendingFolder {
 public:
  // Throws Error(output) where the final folder exists and may not be replaced, or where
  // nothing can be made beside it.
  PendingFolder(const std::filesystem::path& final, Replacement replacement);

  const std::filesystem::path& path() const { return pending_->path(); }
  // Other processes fill it, too (Pending::expect_others).
  void expect_others() { pending_->expect_others(); }
  // Syncs all files to the device and gives the folder its final name. An
  // existing folder is exchanged in one step, where the file system can, and then
  // removed. Throws Error(output).
  void publish();

 private:
  std::filesystem::path final_;
  Replacement replacement_;
  std::optional<Pending> pending_;
};

// Syncs these files of a folder to the device. Throws Error(output).
void sync_files(const std::filesystem::path& folder,
                const std::vector<std::filesystem::path>& files);

// Writes a whole file; throws Error(output).
void write_file(const std::filesystem::path& file, const std::string& content);

// Throws Error(output) where the file exists and `force` is not set, or is not regular.
void check_file_replaceable(const std::filesystem::path& file, bool force);

// Who may read a file: whom the system lets read new files, or nobody but its owner.
enum class FileReaders : std::uint8_t { as_usual, owner };

// Writes a whole file as write_file does, but it appears whole or not at all, and only
// where check_file_replaceable throws nothing.
void publish_file(const std::filesystem::path& file, const std::string& content, bool force,
                  FileReaders readers = FileReaders::as_usual);

// Gives a whole file that was made elsewhere in the same file system its name, where
// check_file_replaceable throws nothing.
void publish_made_file(const std::filesystem::path& made, const std::filesystem::path& file,
                       bool force);

}  // namespace tracefold
