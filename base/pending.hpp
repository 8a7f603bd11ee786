// The hidden file or folder beside an output, in which the output is made.
//
// Its name is .NAME.tracefold-HOST-XXXXXX. The run that fills it holds a lock on it, which the
// system releases when the process ends in any way. So a name with this host and without a lock was
// left by a killed run, and the next run to the same output removes it. Where the file system has
// no locks, the name has no host, and nothing is removed.
//
// One thread, where nothing else is said.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class PendingKind { file, folder };

// Whether this is the name of a pending file or folder, of any run and output.
bool is_name_of_pending(std::string_view name);

// Throws Error(output) where no output of this name can be made: makes a small pending file, and
// removes it.
void check_writable(const std::filesystem::path& final);

// What killed runs had left and was removed since the last call. Thread-safe.
std::vector<std::filesystem::path> take_removed_leftovers();

// Only its owner can open it before open_to_others().
class Pending {
 public:
  // Removes what killed runs to `final` have left, and makes a new pending file or folder beside
  // it, and the folders above where these are missing. Throws Error(output).
  Pending(const std::filesystem::path& final, PendingKind kind);
  // Removes it with its content, and the folders that were made for it, unless has_its_name() was
  // called.
  ~Pending();
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int handle() const { return handle_; }  // of a file to write to, of a folder to read
  // Gives it the access rights of a usual new file or folder.
  void open_to_others() const;
  // Tells that it was renamed to its final name, so that nothing is to be removed.
  void has_its_name();
  // Other processes write into the folder by its path, too. They may go on for a while after it was
  // removed, and must not make it again.
  void expect_others() { has_others_ = true; }

 private:
  void remove();
  void remove_made_folders();
  bool make(const std::filesystem::path& stem, bool locked);

  PendingKind kind_;
  std::filesystem::path folder_;        // that holds it
  std::filesystem::path highest_made_;  // of the folders above it; empty: these were there
  std::filesystem::path path_;
  int handle_ = -1;
  bool has_others_ = false;
};

// Makes a hidden folder in $TMPDIR. Throws Error(output).
std::unique_ptr<Pending> make_temporary_folder(const std::string& name);

}  // namespace tracefold
