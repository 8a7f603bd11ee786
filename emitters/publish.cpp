#include "emitters/publish.hpp"

#include "model/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

Error output_error(const std::string& what, int code) {
  Error problem(ErrorKind::output, fmt::format("{}: {}", what, std::strerror(code)));
  if (code == ENOSPC || code == EDQUOT) problem.hint("free some space, or choose another place with -o");
  else problem.hint("choose a place that you can write to with -o");
  return problem;
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code problem;
  const auto outer = fs::canonical(folder, problem);
  if (problem) return false;
  for (auto at = fs::canonical(file, problem); !problem && at.has_relative_path(); at = at.parent_path())
    if (at == outer) return true;
  return false;
}

void sync(const fs::path& path) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) throw output_error("cannot be synced", errno).in(path.string());
  const int code = ::fsync(handle) == 0 ? 0 : errno;
  ::close(handle);
  if (code && code != EINVAL) throw output_error("cannot be synced", code).in(path.string());
}

// Many files are synced sooner with the whole file system than one by one.
void sync_all(const fs::path& folder) {
  constexpr std::size_t many = 256;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    files.push_back(entry.path());
    if (files.size() < many) continue;
    const int handle = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    const int code = handle >= 0 && ::syncfs(handle) == 0 ? 0 : errno;
    if (handle >= 0) ::close(handle);
    if (code) throw output_error("cannot be synced", code).in(folder.string());
    return;
  }
  for (const auto& file : files) sync(file);
  sync(folder);
}

// The rights that a new file or folder gets here.
::mode_t allowed(::mode_t rights) {
  const auto mask = ::umask(0);
  ::umask(mask);
  return rights & ~mask;
}

}  // namespace

PendingFolder::PendingFolder(const fs::path& final, bool force, const fs::path& input) : final_(fs::absolute(final).lexically_normal()), force_(force) {
  if (!final_.has_filename()) final_ = final_.parent_path();
  std::error_code ignored;
  const auto status = fs::symlink_status(final_, ignored);
  if (fs::exists(status)) {
    if (!force) throw Error(ErrorKind::output, "already exists").in(final.string()).hint("choose another name, or use --force to replace it");
    if (!fs::is_directory(status)) throw Error(ErrorKind::output, "is not a folder, and is not replaced").in(final.string()).hint("choose another name");
    if (!input.empty() && is_inside(input, final_)) throw Error(ErrorKind::output, "holds the trace that is read, and is not replaced").in(final.string()).hint("choose another name");
    if (!fs::is_empty(final_, ignored) && !fs::exists(final_ / "traces.otf2", ignored))
      throw Error(ErrorKind::output, "holds no traces.otf2, and is not replaced").in(final.string()).hint("choose another name, or remove it yourself");
  }
  fs::create_directories(final_.parent_path(), ignored);
  std::string name = (final_.parent_path() / fmt::format(".{}.tracefold-XXXXXX", final_.filename().string())).string();
  if (!::mkdtemp(name.data())) throw output_error("nothing can be written there", errno).in(final.string());
  pending_ = name;
  ::chmod(name.c_str(), allowed(0777));
}

PendingFolder::~PendingFolder() {
  std::error_code ignored;
  if (!pending_.empty()) fs::remove_all(pending_, ignored);
}

void PendingFolder::publish() {
  sync_all(pending_);
  std::error_code ignored;
  if (force_ && fs::exists(final_, ignored)) {
    if (::renameat2(AT_FDCWD, pending_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) != 0)
      throw output_error("cannot be replaced", errno).in(final_.string());
    sync(final_.parent_path());
    return;  // the folder of before has the hidden name now, and is removed with it
  }
  if (::renameat2(AT_FDCWD, pending_.c_str(), AT_FDCWD, final_.c_str(), RENAME_NOREPLACE) != 0)
    throw output_error("cannot be given its name", errno).in(final_.string());
  pending_.clear();
  sync(final_.parent_path());
}

void write_file(const fs::path& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  errno = 0;
  out << content << std::flush;
  if (!out) throw output_error("cannot be written", errno).in(file.string());
}

void publish_file(const fs::path& file, const std::string& content, bool force) {
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  auto pending = (folder / ("." + file.filename().string() + ".tracefold-XXXXXX")).string();
  const int handle = ::mkstemp(pending.data());
  if (handle < 0) throw output_error("cannot be made", errno).in(file.string());
  ::fchmod(handle, allowed(0666));
  ::close(handle);
  try {
    write_file(pending, content);
    sync(pending);
    if (::renameat2(AT_FDCWD, pending.c_str(), AT_FDCWD, file.c_str(), force ? 0 : RENAME_NOREPLACE) != 0) {
      if (errno == EEXIST) throw Error(ErrorKind::output, "already exists").in(file.string()).hint("choose another name, or use --force to replace it");
      throw output_error("cannot get its name", errno).in(file.string());
    }
    sync(folder);
  } catch (...) {
    ::unlink(pending.c_str());
    throw;
  }
}

}  // namespace tracefold
