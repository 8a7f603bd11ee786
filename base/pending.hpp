// The hidden file or folder beside an output, in which it is made.
//
// It is called .NAME.tracefold-HOST-XXXXXX. The run that fills it holds a lock on
// it, which the system releases when the process ends, however it ends. So what a
// killed run has left can be told from what a living one fills: it has this
// host's name and no lock. The next run to the same output removes it. Where the
// file system has no locks, the name has no host, and nothing is removed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

enum class PendingKind { file, folder };

// Whether a file or folder of this name is one, of any run to any output.
bool is_name_of_pending(std::string_view name);

// Open to its owner only until open_to_others(). One thread.
class Pending {
 public:
  // Removes what killed runs have left of `final`, in whose folder it makes a new
  // one. Throws Error(output).
  Pending(const std::filesystem::path& final, PendingKind kind);
  // Removes it with all that is in it, unless it has its final name.
  ~Pending() { remove(); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int handle() const { return handle_; }  // of a file to write to, of a folder to read
  // Gives it the rights that new files and folders get here.
  void open_to_others() const;
  // It has its final name: nothing is left to remove.
  void has_its_name();
  // Other processes write into the folder, too, by its path. When it is removed they may go on for
  // a while, and must not bring it back.
  void expect_others() { has_others_ = true; }

 private:
  void remove();
  bool make(const std::filesystem::path& stem, bool locked);

  PendingKind kind_;
  std::filesystem::path path_;
  int handle_ = -1;
  bool has_others_ = false;
};

// A folder in the one for temporary files, which $TMPDIR names. Throws Error(output).
std::unique_ptr<Pending> make_temporary_folder(const std::string& name);

}  // namespace tracefold
