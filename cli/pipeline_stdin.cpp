#include "cli/pipeline_stdin.hpp"

#include "base/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <system_error>

namespace tracefold::cli {

namespace {

namespace fs = std::filesystem;

bool stdin_is_pipe() {
  struct stat status {};
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
}

bool has_hung_up() {
  pollfd pipe{STDIN_FILENO, POLLIN, 0};
  return ::poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLHUP) != 0;
}

// What there is of it: the process, or its descriptor, may go while it is read.
std::string read_process_file(const fs::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text, '\0');
  return text;
}

template <class Number>
std::optional<Number> parse_digits(std::string_view text, int base = 10) {
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return problem == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

// None: it has ended, or is the first one.
std::optional<pid_t> find_parent_process(pid_t process) {
  const auto line = read_process_file("/proc/" + std::to_string(process) + "/stat");
  const auto name_end = line.rfind(')');  // names may hold anything
  constexpr std::string_view state = ") S ";
  if (name_end == line.npos || line.size() < name_end + state.size())
    return std::nullopt;
  const auto parent = parse_digits<pid_t>(std::string_view(line).substr(name_end + state.size()));
  return parent && *parent > 0 ? parent : std::nullopt;
}

std::set<pid_t> list_own_line() {
  std::set<pid_t> line;
  for (std::optional<pid_t> at = ::getpid(); at && line.insert(*at).second;)
    at = find_parent_process(*at);
  return line;
}

// Whether a process has the pipe open for writing; false where nobody may look.
bool has_for_writing(const fs::path& process, const fs::path& pipe) {
  std::error_code ended;
  for (fs::directory_iterator at(process / "fd", ended), end; !ended && at != end;
       at.increment(ended)) {
    std::error_code closed;
    if (fs::read_symlink(at->path(), closed) != pipe)
      continue;
    const auto about = read_process_file(process / "fdinfo" / at->path().filename());
    constexpr std::string_view word = "flags:\t";
    const auto flags = about.find(word);
    if (flags == about.npos)
      continue;
    const auto mode =
        parse_digits<unsigned long>(std::string_view(about).substr(flags + word.size()), 8);
    if (mode && (*mode & O_ACCMODE) != O_RDONLY)
      return true;
  }
  return false;
}

bool is_tracefold(const fs::path& process) {
  std::error_code unknown;
  return fs::read_symlink(process / "exe", unknown).filename().string().starts_with("tracefold");
}

// Who writes into the pipe: one that this process descends from, or nobody who is seen; another
// command; or tracefold itself, which sends a plan in the end.
enum class Feeder : std::uint8_t { none, other, tracefold };

Feeder find_feeder() {
  std::error_code unknown;
  const auto pipe = fs::read_symlink("/proc/self/fd/0", unknown);
  if (unknown)
    return Feeder::none;
  const auto own = list_own_line();
  auto found = Feeder::none;
  for (fs::directory_iterator at("/proc", unknown), end; !unknown && at != end;
       at.increment(unknown)) {
    const auto process = parse_digits<pid_t>(at->path().filename().string());
    if (!process || !has_for_writing(at->path(), pipe))
      continue;
    if (own.contains(*process))
      return Feeder::none;
    if (found != Feeder::tracefold)
      found = is_tracefold(at->path()) ? Feeder::tracefold : Feeder::other;
  }
  return found;
}

}  // namespace

std::string peek_pipe_on_stdin(std::size_t most_bytes) {
  int ends[2];
  if (!stdin_is_pipe() || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return "";

  // What is copied stays in the pipe.
  std::string text(most_bytes, '\0');
  const auto copied = ::tee(STDIN_FILENO, ends[1], most_bytes, SPLICE_F_NONBLOCK);
  const auto n = copied > 0 ? ::read(ends[0], text.data(), text.size()) : 0;
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  for (const int end : ends)
    ::close(end);
  return text;
}

std::string await_pipe_on_stdin(std::size_t most_bytes,
                                const std::function<bool(std::string_view)>& is_enough) {
  constexpr unsigned shortest = 1000, longest = 100'000;  // microseconds between two looks
  if (!stdin_is_pipe())
    return "";
  const auto start = std::chrono::steady_clock::now();
  for (auto pause = shortest;; pause = std::min(2 * pause, longest)) {
    const bool is_over = has_hung_up();
    const auto feeder = is_over ? Feeder::none : find_feeder();
    if (!is_over && feeder == Feeder::none && !has_hung_up())
      return "";
    auto text = peek_pipe_on_stdin(most_bytes);
    if (is_over || text.size() == most_bytes || (!text.empty() && is_enough(text)))
      return text;
    if (feeder == Feeder::other &&
        std::chrono::steady_clock::now() - start > longest_wait_for_others)
      return "";
    ::usleep(pause);
    check_stop();
  }
}

}  // namespace tracefold::cli
