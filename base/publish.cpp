#include "base/publish.hpp"

#include "base/output_error.hpp"
#include "base/unfinished.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code problem;
  const auto outer = fs::canonical(folder, problem);
  if (problem)
    return false;
  for (auto at = fs::canonical(file, problem); !problem && at.has_relative_path();
       at = at.parent_path())
    if (at == outer)
      return true;

  return false;
}

// An errno, or 0.
int synced(const fs::path& path, int (*call)(int)) {
  const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0)
    return errno;
  const int code = call(handle) == 0 || errno == EINVAL ? 0 : errno;
  ::close(handle);
  return code;
}

void sync(const fs::path& path, int (*call)(int) = ::fsync) {
  if (const int code = synced(path, call))
    throw output_error("cannot be synced", code);
}

// A name in it that is not on the device yet may be lost with the power, which
// leaves no output: no reason to say now that there is none.
void try_to_sync(const fs::path& folder) {
  synced(folder, ::fsync);
}

// So many files are synced sooner with the whole file system than one by one.
constexpr std::size_t many_files = 256;

void sync_all(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    files.push_back(entry.path());
    if (files.size() == many_files)
      break;
  }

  sync_files(folder, files);
  if (files.size() < many_files)
    sync(folder);
}

void write_all(int handle, const std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const auto n = ::write(handle, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw output_error("cannot be written", errno);
    done += static_cast<std::size_t>(n);
  }
}

// Network file systems may know none of renameat2's flags.
bool has_no_flags(int code) {
  return code == EINVAL || code == ENOSYS || code == EOPNOTSUPP;
}

// An errno, or 0. An empty folder is the most that is replaced.
int give_name(const fs::path& from, const fs::path& to) {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// An errno, or 0. The old folder has the hidden name then, and is removed with it;
// without flags there is a moment in which neither has the final name.
int exchange(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0)
    return 0;
  if (!has_no_flags(errno))
    return errno;

  const Pending aside(to, PendingKind::folder);
  if (::rename(to.c_str(), aside.path().c_str()) != 0)
    return errno;
  if (::rename(from.c_str(), to.c_str()) == 0)
    return 0;

  const int code = errno;
  ::rename(aside.path().c_str(), to.c_str());

  return code;
}

// The same for a file.
int give_name_to_file(const fs::path& from, const fs::path& to, bool force) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), force ? 0 : RENAME_NOREPLACE) == 0)
    return 0;
  if (!has_no_flags(errno))
    return errno;
  if (::link(from.c_str(), to.c_str()) != 0)
    return errno;
  ::unlink(from.c_str());

  return 0;
}

}  // namespace

void check_replaceable(const fs::path& folder, const Replacement& replacement) {
  std::error_code ignored;
  const auto status = fs::symlink_status(folder, ignored);
  if (!fs::exists(status) || (fs::is_directory(status) && fs::is_empty(folder, ignored)))
    return;
  if (!replacement.force)
    throw Error(ErrorKind::output, "already exists")
        .hint("choose another name, or use `force` to replace it");

  if (!fs::is_directory(status))
    throw Error(ErrorKind::output, fs::is_symlink(status) ? "is a link, and is not replaced"
                                                          : "is not a folder, and is not replaced")
        .hint("choose another name");

  if (!replacement.input.empty() && is_inside(replacement.input, folder))
    throw Error(ErrorKind::output, "holds the trace that is read, and is not replaced")
        .hint("choose another name");

  const auto foreign =
      replacement.find_foreign_entry ? replacement.find_foreign_entry(folder) : std::nullopt;
  if (foreign)
    throw Error(
        ErrorKind::output,
        "holds '" + *foreign + "', which is not what tracefold has written, and is not replaced")
        .hint("choose another name, or remove it yourself");
}

PendingFolder::PendingFolder(const fs::path& final, Replacement replacement)
    : final_(fs::absolute(final).lexically_normal()), replacement_(std::move(replacement)) {
  if (!final_.has_filename())
    final_ = final_.parent_path();
  try {
    check_replaceable(final_, replacement_);
    pending_.emplace(final_, PendingKind::folder);
  } catch (Error& problem) {
    problem.in(final.string());
    throw;
  }
}

void PendingFolder::publish() {
  sync_all(path());
  check_replaceable(final_, replacement_);  // others may have been here meanwhile
  pending_->open_to_others();
  std::error_code ignored;
  if (replacement_.force && fs::exists(fs::symlink_status(final_, ignored))) {
    const auto naming = lock_naming();
    if (const int code = exchange(path(), final_))
      throw output_error("cannot be replaced", code);
  } else {
    const auto naming = lock_naming();
    if (const int code = give_name(path(), final_))
      throw output_error("cannot be given its name", code);
    pending_->has_its_name();
  }

  try_to_sync(final_.parent_path());
}

void sync_files(const fs::path& folder, const std::vector<fs::path>& files) {
  if (files.size() >= many_files)
    return sync(folder, ::syncfs);
  for (const auto& file : files)
    sync(file);
}

void write_file(const fs::path& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  errno = 0;
  out << content << std::flush;
  if (!out)
    throw output_error("cannot be written", errno).in(file.string());
}

void check_file_replaceable(const fs::path& file, bool force) {
  std::error_code ignored;
  const auto status = fs::symlink_status(file, ignored);
  if (!fs::exists(status))
    return;
  if (!force)
    throw Error(ErrorKind::output, "already exists")
        .in(file.string())
        .hint("choose another name, or use `force` to replace it");

  if (!fs::is_regular_file(status))
    throw Error(ErrorKind::output, fs::is_symlink(status)
                                       ? "is a link, and is not replaced"
                                       : "is not a regular file, and is not replaced")
        .in(file.string())
        .hint("choose another name");
}

void check_file_output(const fs::path& file, bool force) try {
  check_file_replaceable(file, force);
  check_writable(file);
} catch (Error& problem) {
  problem.in(file.string());
  throw;
}

namespace {

// `made` is on the device already.
void give_file_its_name(const fs::path& made, const fs::path& file, bool force) {
  const int code = give_name_to_file(made, file, force);
  if (code == EEXIST)
    throw Error(ErrorKind::output, "already exists")
        .hint("choose another name, or use `force` to replace it");
  if (code)
    throw output_error("cannot be given its name", code);
}

void sync_name_of(const fs::path& file) {
  try_to_sync(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

}  // namespace

void publish_file(const fs::path& file, const std::string& content, bool force,
                  FileReaders readers) try {
  check_file_replaceable(file, force);
  Pending pending(file, PendingKind::file);
  write_all(pending.handle(), content);
  if (readers == FileReaders::as_usual)
    pending.open_to_others();
  if (::fsync(pending.handle()) != 0 && errno != EINVAL)
    throw output_error("cannot be synced", errno);

  {
    const auto naming = lock_naming();
    give_file_its_name(pending.path(), file, force);
    pending.has_its_name();
  }
  sync_name_of(file);
} catch (Error& problem) {
  problem.in(file.string());
  throw;
}

void publish_made_file(const fs::path& made, const fs::path& file, bool force) {
  sync(made);
  check_file_replaceable(file, force);  // others may have been here meanwhile
  {
    const auto naming = lock_naming();
    give_file_its_name(made, file, force);
  }
  sync_name_of(file);
}

}  // namespace tracefold
