#include "base/pending.hpp"

#include "base/host_name.hpp"
#include "base/output_error.hpp"
#include "base/unfinished.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view random_part = "XXXXXX";
constexpr std::string_view pending_mark = ".tracefold-";  // behind the name of the output

std::string hidden_stem(const fs::path& final) {
  constexpr std::size_t longest = 128;  // bytes, so that the whole is a name for any file system
  return "." + final.filename().string().substr(0, longest) + std::string(pending_mark);
}

// Whether a name is `stem` and what mkdtemp puts behind it.
bool belongs_to(const std::string& stem, const std::string& name) {
  return name.size() == stem.size() + random_part.size() && name.starts_with(stem) &&
         std::all_of(name.end() - random_part.size(), name.end(),
                     [](unsigned char c) { return c < 0x80 && std::isalnum(c); });
}

// The lock is on what the name means still, and that is a file or folder of our own.
bool is_ours(int handle, const fs::path& path) {
  struct ::stat opened {
  }, named{};
  return ::fstat(handle, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
         opened.st_uid == ::geteuid() && (S_ISDIR(opened.st_mode) || S_ISREG(opened.st_mode));
}

int make_folder(char* name) {
  if (!::mkdtemp(name))
    return -1;
  const int handle = ::open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (const int code = errno; handle < 0)
    ::rmdir(name), errno = code;

  return handle;
}

bool lock(int handle) {
  return ::flock(handle, LOCK_EX | LOCK_NB) == 0;
}

std::mutex leftovers_mutex;
std::vector<fs::path> removed_leftovers;

void remove_left(const fs::path& path) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (handle < 0)
    return;
  std::error_code problem;
  if (lock(handle) && is_ours(handle, path) && fs::remove_all(path, problem) > 0 && !problem) {
    std::lock_guard guard(leftovers_mutex);
    removed_leftovers.push_back(path);
  }
  ::close(handle);
}

void remove_all_left(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> left;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem))
    if (belongs_to(stem, at->path().filename().string()))
      left.push_back(at->path());

  for (const auto& path : left)
    remove_left(path);
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::symlink_status(path, unknown).type() != fs::file_type::not_found;
}

// The highest folder of the path that is not there; empty where all are.
fs::path find_highest_missing(const fs::path& folder) {
  fs::path highest;
  for (auto at = folder; !at.empty() && !is_there(at); at = at.parent_path())
    highest = at;
  return highest;
}

// An errno, or 0.
int try_to_write(int handle, std::string_view content) {
  const auto n = ::write(handle, content.data(), content.size());
  if (n < 0)
    return errno;
  if (static_cast<std::size_t>(n) < content.size())
    return ENOSPC;
  // Network file systems tell of a full disk only now.
  return ::fdatasync(handle) == 0 || errno == EINVAL ? 0 : errno;
}

// An errno, or 0: whether a file system takes the name.
int try_name(const fs::path& path) {
  struct ::stat ignored {};
  return ::lstat(path.c_str(), &ignored) == 0 || errno == ENOENT ? 0 : errno;
}

}  // namespace

bool is_name_of_pending(std::string_view name) {
  return name.starts_with('.') && name.find(pending_mark) != name.npos;
}

void check_writable(const fs::path& final) {
  constexpr std::string_view content = "tracefold tries whether it can write here\n";
  auto path = fs::absolute(final).lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();

  const Pending tried(path, PendingKind::file);
  int code = try_name(path);
  if (code == 0)
    code = try_to_write(tried.handle(), content);
  if (code != 0)
    throw output_error("nothing can be written there", code);
}

std::vector<fs::path> take_removed_leftovers() {
  std::lock_guard guard(leftovers_mutex);
  return std::exchange(removed_leftovers, {});
}

Pending::Pending(const fs::path& final, PendingKind kind)
    : kind_(kind),
      folder_(final.has_parent_path() ? final.parent_path() : fs::path(".")),
      highest_made_(find_highest_missing(folder_)) {
  const auto stem = hidden_stem(final);
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) {
    remove_made_folders();
    throw output_error("nothing can be written there", problem.value());
  }

  const auto stem_of_host = stem + read_host_name_for_files() + "-";
  remove_all_left(folder_, stem_of_host);
  constexpr int tries = 4;  // another run may take a new one for a left one before it is locked
  for (int k = 0; k < tries; ++k)
    if (make(folder_ / stem_of_host, true))
      return;

  make(folder_ / stem, false);
}

bool Pending::make(const fs::path& stem, bool locked) {
  auto name = stem.string() + std::string(random_part);
  handle_ =
      kind_ == PendingKind::file ? ::mkostemp(name.data(), O_CLOEXEC) : make_folder(name.data());
  if (handle_ < 0) {
    const int code = errno;
    remove_made_folders();
    throw output_error("nothing can be written there", code);
  }

  path_ = name;
  add_unfinished(path_);
  if (!locked || (lock(handle_) && is_ours(handle_, path_)))
    return true;

  remove();

  return false;
}

void Pending::has_its_name() {
  forget_unfinished(path_);
  path_.clear();
  highest_made_.clear();
}

Pending::~Pending() {
  remove();
  remove_made_folders();
}

void Pending::remove_made_folders() {
  auto at = folder_;
  while (!highest_made_.empty() && (::rmdir(at.c_str()) == 0 || errno == ENOENT) &&
         at != highest_made_)
    at = at.parent_path();
}

void Pending::remove() {
  std::error_code ignored;
  if (!path_.empty()) {
    if (has_others_)
      remove_for_good(path_);
    else
      fs::remove_all(path_, ignored);
    forget_unfinished(std::exchange(path_, {}));
  }
  if (handle_ >= 0)
    ::close(std::exchange(handle_, -1));
}

void Pending::open_to_others() const {
  const auto mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(handle_, (kind_ == PendingKind::file ? 0666 : 0777) & ~mask) != 0)
    throw output_error("its rights cannot be set", errno);
}

std::unique_ptr<Pending> make_temporary_folder(const std::string& name) {
  const auto refuse = [](const std::string& why) {
    return Error(ErrorKind::output, why).hint("TMPDIR names another folder for temporary files");
  };
  std::error_code unknown;
  const auto folder = fs::temp_directory_path(unknown);
  if (unknown)
    throw refuse("there is no folder for temporary files: " + unknown.message());

  try {
    return std::make_unique<Pending>(fs::absolute(folder) / name, PendingKind::folder);
  } catch (const Error&) {
    throw refuse("nothing can be written to " + folder.string());
  }
}

}  // namespace tracefold
