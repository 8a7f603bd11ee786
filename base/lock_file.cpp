#include "base/lock_file.hpp"

#include "base/host_name.hpp"
#include "base/json_text.hpp"
#include "base/output_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

using LockJson = nlohmann::ordered_json;

constexpr std::size_t largest_lock = 4096;  // bytes

std::string read_first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// When a process began, in ticks since the host did; empty where there is no such process.
std::string read_process_start(long process) {
  constexpr int fields_behind_name = 20;  // before the one that is asked for
  const auto line = read_first_line(fmt::format("/proc/{}/stat", process));
  auto at = line.rfind(')');  // a name may hold blanks and brackets
  for (int k = 0; k < fields_behind_name && at != line.npos; ++k)
    at = line.find(' ', at + 1);
  if (at == line.npos)
    return "";
  const auto end = line.find(' ', at + 1);
  return line.substr(at + 1, end == line.npos ? line.npos : end - at - 1);
}

// Where numbers of processes mean the same: one boot of one host, and one container of it.
std::string read_process_space() {
  std::error_code unknown;
  const auto space = fs::read_symlink("/proc/self/ns/pid", unknown).string();
  return read_first_line("/proc/sys/kernel/random/boot_id") + " " + space;
}

std::string make_content(const std::string& job, std::chrono::seconds longest) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  LockJson lock{{"host", read_host_name()},
                {"process", ::getpid()},
                {"job", job},
                {"seconds", longest.count()},
                {"process_start", read_process_start(::getpid())},
                {"process_space", read_process_space()},
                {"made", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()}};
  return write_json_text(lock, JsonLines::one);
}

struct SeenLock {
  std::string content;
  bool is_file = false;
  struct ::timespec modified {};
  ::ino_t inode = 0;

  bool operator==(const SeenLock& other) const {
    return inode == other.inode && content == other.content;
  }
};

std::optional<SeenLock> read_lock(const fs::path& file) {
  struct ::stat status {};
  if (::lstat(file.c_str(), &status) != 0)
    return std::nullopt;
  SeenLock seen{"", S_ISREG(status.st_mode), status.st_mtim, status.st_ino};
  if (!seen.is_file)
    return seen;

  const int handle = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (handle < 0)
    return errno == ENOENT ? std::nullopt : std::optional(seen);
  std::array<char, largest_lock> buffer{};
  if (const auto n = ::read(handle, buffer.data(), buffer.size()); n > 0)
    seen.content.assign(buffer.data(), static_cast<std::size_t>(n));
  ::close(handle);
  return seen;
}

// A name beside the lock that no other process uses.
fs::path name_beside(const fs::path& file) {
  auto beside = file;
  beside += fmt::format(".{}-{}", read_host_name_for_files(), ::getpid());
  return beside;
}

double to_seconds(const struct ::timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// What the file system takes for the time where this lock is: that of a file that is made there
// now. Where none can be made it is this host's.
double read_clock_beside(const fs::path& lock) {
  struct ::stat status {};
  const auto probe = name_beside(lock);
  const int handle =
      ::open(probe.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  const bool is_known = handle >= 0 && ::fstat(handle, &status) == 0;
  if (handle >= 0) {
    ::close(handle);
    ::unlink(probe.c_str());
  }
  if (is_known)
    return to_seconds(status.st_mtim);

  struct ::timespec now {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return to_seconds(now);
}

LockJson parse_lock(const std::string& content) {
  auto lock = LockJson::parse(content, nullptr, false);
  return lock.is_object() ? lock : LockJson::object();
}

template <class Value>
std::optional<Value> find_field(const LockJson& lock, const char* name) try {
  return lock.at(name).get<Value>();
} catch (const LockJson::exception&) {
  return std::nullopt;
}

// Whether it was made where processes can be asked for, and its process is no longer there.
bool has_no_process(const LockJson& lock) {
  const auto process = find_field<long>(lock, "process");
  const auto start = find_field<std::string>(lock, "process_start");
  if (!process || *process <= 0 || !start || start->empty() ||
      find_field<std::string>(lock, "host") != read_host_name() ||
      find_field<std::string>(lock, "process_space") != read_process_space())
    return false;
  if (::kill(static_cast<::pid_t>(*process), 0) != 0 && errno == ESRCH)
    return true;
  const auto now = read_process_start(*process);
  return !now.empty() && now != *start;  // another one has its number
}

// A lock far in the future was made before a clock was set back; nobody can hold it for long.
bool is_too_old(const SeenLock& seen, const LockJson& lock, const fs::path& file,
                std::chrono::seconds longest) {
  const auto limit = std::max<double>(static_cast<double>(longest.count()),
                                      find_field<double>(lock, "seconds").value_or(0));
  const auto age = read_clock_beside(file) - to_seconds(seen.modified);
  return age > limit || age < -limit;
}

bool is_left_behind(const SeenLock& seen, const fs::path& file, std::chrono::seconds longest) {
  if (!seen.is_file)
    return false;
  const auto lock = parse_lock(seen.content);
  return has_no_process(lock) || is_too_old(seen, lock, file, longest);
}

std::string describe_holder(const SeenLock& seen) {
  if (!seen.is_file)
    return "something that is no file";
  const auto lock = parse_lock(seen.content);
  const auto host = find_field<std::string>(lock, "host");
  const auto process = find_field<long>(lock, "process");
  if (!host || !process)
    return "somebody unknown";
  const auto job = find_field<std::string>(lock, "job").value_or("");
  return fmt::format("host {}, process {}{}", *host, *process, job.empty() ? "" : ", job " + job);
}

// An errno, or 0.
int write_lock(int handle, std::string_view content) {
  const auto n = ::write(handle, content.data(), content.size());
  int code = n < 0 ? errno : static_cast<std::size_t>(n) < content.size() ? ENOSPC : 0;
  if (::close(handle) != 0 && code == 0)  // network file systems tell of a full disk here
    code = errno;
  return code;
}

// Removes the lock that was seen. What has taken its place meanwhile comes back.
void remove_seen(const fs::path& file, const SeenLock& seen) {
  const auto aside = name_beside(file);
  if (::rename(file.c_str(), aside.c_str()) != 0)
    return;
  if (const auto moved = read_lock(aside); moved && !(*moved == seen))
    (void)!::link(aside.c_str(), file.c_str());
  ::unlink(aside.c_str());
}

}  // namespace

LockFile::LockFile(fs::path file, const std::string& job, std::chrono::seconds longest)
    : file_(std::move(file)), longest_(longest), content_(make_content(job, longest)) {}

std::optional<std::string> LockFile::find_holder() const {
  const auto seen = read_lock(file_);
  if (!seen || seen->content == content_ || is_left_behind(*seen, file_, longest_))
    return std::nullopt;
  return describe_holder(*seen);
}

bool LockFile::take() {
  constexpr int tries = 4;  // others may take over what was left behind, too
  for (int k = 0; k < tries; ++k) {
    const int handle =
        ::open(file_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (handle >= 0) {
      if (const int code = write_lock(handle, content_)) {
        ::unlink(file_.c_str());
        throw output_error("its lock cannot be written", code).in(file_.string());
      }
      return true;
    }
    if (errno != EEXIST)
      throw output_error("its lock cannot be made", errno).in(file_.string());

    const auto seen = read_lock(file_);
    if (seen && seen->content == content_)
      return true;
    if (seen && !is_left_behind(*seen, file_, longest_))
      return false;
    if (seen)
      remove_seen(file_, *seen);
  }

  return false;
}

bool LockFile::is_ours() const {
  const auto seen = read_lock(file_);
  return seen && seen->content == content_;
}

void LockFile::release() {
  if (is_ours())
    ::unlink(file_.c_str());
}

}  // namespace tracefold
