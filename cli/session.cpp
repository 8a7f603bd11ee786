#include "cli/session.hpp"

#include "base/interrupt.hpp"
#include "base/pending.hpp"
#include "base/team.hpp"
#include "base/text.hpp"
#include "cli/pipeline_stdin.hpp"
#include "cli/spilling_heap.hpp"
#include "model/trace_name.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/streams/packed_trace.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold::cli {

namespace {

// What a thread holds while it reads: tables of all functions, buffers, a call stack.
constexpr std::uint64_t memory_of_a_thread = 32 << 20;

Membership joined;
// Where the trace was typed without a folder of the system before it; else empty.
std::string folder_of_typed;

// Whether a stream is a terminal that knows escapes: for a progress line, and for styles.
bool knows_escapes(int stream) {
  const char* terminal = std::getenv("TERM");
  const bool is_known = terminal && *terminal && std::string_view(terminal) != "dumb";
  return is_known && !joined.team && ::isatty(stream);
}

// A narrower terminal is none that tables can be fitted to.
constexpr std::size_t fewest_columns = 40;

std::optional<std::size_t> read_columns() {
  const char* text = std::getenv("COLUMNS");
  const std::string_view digits = text ? text : "";
  std::size_t columns = 0;
  const auto [end, problem] = std::from_chars(digits.begin(), digits.end(), columns);
  const bool is_number = problem == std::errc() && end == digits.end();
  return is_number && columns > 0 ? std::optional(columns) : std::nullopt;
}

std::size_t measure_terminal() {
  struct winsize size {};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : page_columns;
}

// Writes all of it, or returns an errno.
int write_whole(int handle, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto n = ::write(handle, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    done += static_cast<std::size_t>(n);
  }

  return 0;
}

// Threads and bytes that a process may use.
using Means = std::pair<std::uint64_t, std::uint64_t>;

// All members of a team have the same, since they have to come to the same decisions.
Means choose_means(const GeneralOptions& options) {
  const auto cores = joined.cores ? joined.cores : count_threads();
  const std::uint64_t memory =
      options.memory ? options.memory : default_memory_limit() / joined.members_on_node;
  const std::uint64_t wanted = options.threads ? options.threads : cores;
  return share_merged(joined.team, Means(wanted, memory), [](const Means& a, const Means& b) {
    return Means(std::min(a.first, b.first), std::min(a.second, b.second));
  });
}

}  // namespace

void join_team(const Membership& membership) {
  joined = membership;
}
const Membership& membership() {
  return joined;
}
bool is_first_member() {
  return is_first(joined.team);
}

Session::Session(const GeneralOptions& options, const std::string& command)
    : options_(options), context_{diagnostics} {
  const auto [wanted, memory] = choose_means(options);
  options_.memory = memory;
  const auto threads = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(options_.memory / memory_of_a_thread, 1, wanted));
  threads_ = std::make_unique<ThreadLimit>(threads);

  std::error_code no_folder;
  if (const auto folder = std::filesystem::temp_directory_path(no_folder); !no_folder)
    spill_beyond(options_.memory, folder);
  keep_freed_memory(options_.memory);
  if (options_.max_size)
    bound_unpacking(*options_.max_size);
  context_.reading.partial = options_.partial;
  context_.reading.memory = options_.memory;
  context_.reading.reader = options_.reader;
  context_.reading.team = joined.team;
  if (!options_.quiet && knows_escapes(STDERR_FILENO)) {
    line_ = std::make_unique<ProgressLine>(command);
    context_.progress = [this](const std::string& pass, std::size_t done, std::size_t all) {
      line_->show(pass, done, all, seconds());
    };
  }
  context_.report = [this](const std::string& words) {
    verbose(fmt::format("{}, {:.3f} s", words, seconds()));
  };
}

Session::~Session() {
  tell_of_leftovers();
  clear_line();
}

void Session::tell_of_leftovers() const {
  for (const auto& path : take_removed_leftovers())
    note(fmt::format("tracefold: {} was left by a run that was killed, and is removed",
                     make_printable(path.string())));
}

void Session::clear_line() const {
  if (line_)
    line_->clear();
}

void Session::begin_trace(std::size_t trace, std::size_t traces) const {
  if (line_)
    line_->begin_trace(trace, traces);
}

void Session::name_trace(const std::string& trace) const {
  std::error_code unknown;
  if (std::filesystem::path(trace).is_relative())
    folder_of_typed = (std::filesystem::current_path(unknown) / "").string();
  if (line_)
    line_->name_trace(shorten(make_printable(name_after_folder(trace)), 24));
}

double Session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::note(const std::string& line) const {
  clear_line();
  if (!options_.quiet)
    print_error(line + "\n");
}

void Session::verbose(const std::string& line) const {
  if (options_.verbose)
    note("tracefold: " + line);
}

namespace {

// A path that was typed from here is opened, and told, with the whole path of the folder.
std::string name_as_typed(std::string message) {
  for (std::size_t at = 0;
       folder_of_typed.size() > 1 && (at = message.find(folder_of_typed, at)) != std::string::npos;)
    message.erase(at, folder_of_typed.size());
  return message;
}

}  // namespace

std::string make_readable(const std::string& message) {
  return make_printable(name_as_typed(name_unpacked(name_options(message))));
}

void Session::finish() {
  tell_of_leftovers();
  if (auto* team = joined.team) {
    using Collected = std::pair<Diagnostics::Oddities, Diagnostics::Oddities>;
    const auto all = team->reduce(pack(diagnostics.collected()),
                                  [](const std::string& lower, const std::string& higher) {
                                    Diagnostics both;
                                    both.add_collected(unpack<Collected>(lower));
                                    both.add_collected(unpack<Collected>(higher));
                                    return pack(both.collected());
                                  });
    if (!is_first_member())
      return;
    diagnostics.add_collected(unpack<Collected>(all));
  }

  if (!trace_beside_stdin_.empty() && begins_as_plan(peek_pipe_on_stdin(longest_plan_begin)))
    diagnostics.warn(
        fmt::format("a plan comes through a pipe, and was not read, since a trace is given "
                    "('- `trace` {}' takes both)",
                    trace_beside_stdin_));
  for (const auto& line : diagnostics.warnings())
    note("tracefold: warning: " + make_readable(line));
  for (const auto& line : diagnostics.notes())
    note("tracefold: " + make_readable(line));
  for (const auto& line : diagnostics.details())
    verbose(make_readable(line));
}

bool stdout_is_terminal() {
  return !joined.team && ::isatty(STDOUT_FILENO);  // launchers make some that nobody looks at
}
bool stderr_is_terminal() {
  return ::isatty(STDERR_FILENO);
}
TextLayout choose_text_layout(bool wide) {
  TextLayout layout;
  layout.remedy = "--wide";
  const char* no_colour = std::getenv("NO_COLOR");
  layout.has_styles = knows_escapes(STDOUT_FILENO) && !(no_colour && *no_colour);
  layout.groups_digits = stdout_is_terminal();
  layout.is_wide = wide;
  if (wide)
    return layout;

  if (const auto columns = read_columns())
    layout.columns = std::max(*columns, fewest_columns);
  else if (stdout_is_terminal())
    layout.columns = std::max(measure_terminal(), fewest_columns);
  return layout;
}
bool stdin_is_terminal() {
  return ::isatty(STDIN_FILENO);
}

namespace {

// Appends what comes next, `most` bytes at most. False at the end.
bool read_more_of_stdin(std::string& text, std::size_t most) {
  char buffer[1 << 16];
  for (;;) {
    const auto n = ::read(STDIN_FILENO, buffer, std::min(most, sizeof buffer));
    if (n < 0 && errno == EINTR) {
      check_stop();
      continue;
    }

    if (n < 0)
      throw Error(ErrorKind::input, std::string("stdin cannot be read: ") + std::strerror(errno));
    text.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }
}

std::string read_own_stdin_begin(std::size_t bytes) {
  if (stdin_is_terminal())
    throw Error(ErrorKind::usage, "no trace is given and no plan comes on stdin")
        .hint("give a TRACE.otf2, or pipe a plan");

  std::string text;
  while (text.size() < bytes && read_more_of_stdin(text, bytes - text.size())) {}
  return text;
}

std::string read_own_stdin(std::string begin) {
  auto text = std::move(begin);
  while (read_more_of_stdin(text, std::string::npos)) {}
  if (text.empty())
    throw Error(ErrorKind::input, "stdin: no plan came in")
        .hint("the command before in the pipeline has failed, or give a TRACE.otf2");

  return text;
}

std::string find_own_stdin_folder() {
  struct stat about {};
  if (::fstat(STDIN_FILENO, &about) != 0 || !S_ISREG(about.st_mode))
    return "";

  std::error_code unknown;
  const auto file = std::filesystem::read_symlink("/proc/self/fd/0", unknown);
  return unknown ? "" : file.parent_path().string();
}

std::string peek_own_stdin(std::size_t most_bytes) {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
    return "";
  const auto here = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (here < 0)
    return "";

  std::string text(most_bytes, '\0');
  const auto n = ::pread(STDIN_FILENO, text.data(), text.size(), here);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

}  // namespace

std::string read_stdin_begin(std::size_t bytes) {
  return compute_once<std::string>(joined.team, [&] { return read_own_stdin_begin(bytes); });
}

std::string read_stdin(std::string begin) {
  return compute_once<std::string>(joined.team, [&] { return read_own_stdin(std::move(begin)); });
}

std::optional<std::filesystem::path> find_stdin_folder() {
  const auto folder = compute_once<std::string>(joined.team, find_own_stdin_folder);
  return folder.empty() ? std::nullopt : std::optional<std::filesystem::path>(folder);
}

std::string peek_stdin(std::size_t most_bytes) {
  return compute_once<std::string>(joined.team, [&] { return peek_own_stdin(most_bytes); });
}

std::string name_options(const std::string& message) {
  std::string named;
  std::size_t done = 0;

  for (auto open = message.find('`'); open != std::string::npos;
       open = message.find('`', open + 1)) {
    const auto close = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
    if (close == std::string::npos || message[close] != '`' || close == open + 1)
      continue;

    auto option = message.substr(open + 1, close - open - 1);
    std::replace(option.begin(), option.end(), '_', '-');
    named += message.substr(done, open - done) + "--" + option;
    done = close + 1;
    open = close;
  }

  return named + message.substr(done);
}

void print(const std::string& text) {
  if (!is_first_member())
    return;
  const int code = write_whole(STDOUT_FILENO, text);
  if (code != 0 && code != EPIPE)  // a reader that has gone has what it wanted
    throw Error(ErrorKind::output,
                std::string("stdout: cannot be written: ") + std::strerror(code));
}

void print_error(const std::string& text) {
  if (is_first_member())
    print_error_at_once(text);
}

void print_error_at_once(const std::string& text) {
  write_whole(STDERR_FILENO, text);
}

}  // namespace tracefold::cli
