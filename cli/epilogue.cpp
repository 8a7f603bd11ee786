#include "cli/epilogue.hpp"

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>
#include <thread>

namespace tracefold::cli {

namespace {

// As in 90, 90s, 1.5m, 2h or 500ms.
std::chrono::milliseconds parse_timeout(const std::string& text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr auto units = std::to_array<Unit>(
      {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}});
  constexpr double longest = 366 * 86400.0;  // seconds

  double number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  for (const auto& unit : units)
    if (code == std::errc() && unit.name == name && number > 0 && number * unit.seconds <= longest)
      return std::chrono::milliseconds(
          static_cast<std::int64_t>(std::ceil(number * unit.seconds * 1000)));

  throw Error(ErrorKind::usage, fmt::format("--timeout {}: no time above 0", text))
      .hint("as in 90s, 10m or 2h");
}

nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}

nlohmann::ordered_json number_or_null(const std::optional<std::uint64_t>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

std::string read_host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string show_words(const std::string& message) {
  return make_printable(name_options(message));
}

std::string write_log_line(const JobOutcome& outcome) {
  const auto now = std::chrono::system_clock::now();
  auto warnings = nlohmann::ordered_json::array();
  for (const auto& warning : outcome.warnings)
    warnings.push_back(show_words(warning));
  const bool is_written = outcome.status == JobStatus::done;
  return write_json_text(
      {{"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                            fmt::gmtime(std::chrono::system_clock::to_time_t(now)))},
       {"host", read_host_name()},
       {"job", text_or_null(find_job_id())},
       {"status", std::string(to_text(outcome.status))},
       {"trace", text_or_null(outcome.trace.string())},
       {"output", text_or_null(outcome.output.string())},
       {"bytes", number_or_null(outcome.bytes)},
       {"small_bytes", number_or_null(outcome.small_bytes)},
       {"seconds", std::round(outcome.seconds * 1000) / 1000},
       {"original", is_written ? nlohmann::ordered_json(outcome.is_deleted ? "deleted" : "kept")
                               : nlohmann::ordered_json()},
       {"warnings", std::move(warnings)},
       {"message", text_or_null(show_words(outcome.message))}},
      JsonLines::one);
}

// An errno, or 0. A line is written at once, behind all others; where several hosts write to one
// file, the lock keeps their lines apart. A file system without locks is no reason not to write.
int append_line(const std::string& log, const std::string& line) {
  const int handle =
      ::open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  if (handle < 0)
    return errno;
  constexpr int tries = 20;
  for (int k = 0; k < tries && ::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));

  const auto n = ::write(handle, line.data(), line.size());
  int code = n < 0 ? errno : static_cast<std::size_t>(n) < line.size() ? ENOSPC : 0;
  if (::close(handle) != 0 && code == 0)
    code = errno;
  return code;
}

// A log that cannot be written is no reason to leave the next trace.
void log_outcome(const std::string& log, const JobOutcome& outcome) try {
  if (log.empty())
    return;
  const auto line = write_log_line(outcome);
  if (log == "-") {
    print(line);
    return;
  }
  if (const int code = append_line(log, line))
    print_error(fmt::format("tracefold: {}: cannot be written: {}\n", make_printable(log),
                            std::strerror(code)));
} catch (const Error& problem) {
  print_error(fmt::format("tracefold: {}\n", problem.what()));
}

constexpr std::string_view folder_option = "--epilogue", log_option = "--log";

// What an option has as its value among arguments that need not be right; none: it is not there.
std::optional<std::string> find_value(int argc, char** argv, std::string_view option) {
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--")
      break;
    if (word == option)
      return k + 1 < argc ? argv[k + 1] : "";
    if (word.starts_with(option) && word.substr(option.size()).starts_with('='))
      return std::string(word.substr(option.size() + 1));
  }
  return std::nullopt;
}

}  // namespace

void add_epilogue(CLI::App* command, EpilogueCommandOptions& options) {
  const auto* group = "At the end of a job";
  for (const auto* name :
       {"anchor", "more", "--trace", "--anonymize", "--output", "--dry-run", "--format", "--json",
        "--drop", "--keep", "--inside", "--locations", "--time", "--iterations-only"})
    options.others.push_back(command->get_option(name));

  options.folder = command
                       ->add_option_function<std::string>(
                           std::string(folder_option),
                           [&options](const std::string& name) { options.epilogue.folder = name; },
                           "Reduce all traces below; exit status 0")
                       ->option_text("DIR")
                       ->group(group)
                       ->check(not_empty());
  auto* timeout = add_parsed(command, "--timeout", options.epilogue.timeout, parse_timeout,
                             "End in this time, as 90s, 10m, 2h (10m)")
                      ->option_text("TIME")
                      ->group(group);
  auto* log =
      command
          ->add_option(std::string(log_option), options.log, "Append a line of JSON for each trace")
          ->option_text("FILE")
          ->group(group)
          ->check(not_empty());
  const auto set_deletion = [&options](const std::string& word) {
    find_word("--then-delete", word, {"original"});
    options.epilogue.deletes_originals = true;
  };
  auto* deletion =
      command
          ->add_option_function<std::string>("--then-delete", set_deletion,
                                             "Delete the original once verify has passed")
          ->option_text("original")
          ->group(group);
  options.details = {timeout, log, deletion};
}

void check_epilogue(const EpilogueCommandOptions& options) {
  if (!options.is_asked_for()) {
    for (const auto* option : options.details)
      if (option->count() > 0)
        throw Error(ErrorKind::usage, fmt::format("{} needs --epilogue", option->get_name()))
            .hint("as in 'tracefold reduce --epilogue job --timeout 5m'");
    return;
  }
  for (const auto* option : options.others)
    if (option->count() > 0)
      throw Error(ErrorKind::usage,
                  fmt::format("{} means nothing with --epilogue",
                              option->nonpositional() ? option->get_name()
                                                      : "'" + option->results().front() + "'"))
          .hint("each trace below the folder is reduced to FOLDER-small beside its own");
}

int run_epilogue(Session& session, const EpilogueCommandOptions& options,
                 const ReduceOptions& reduction) {
  if (options.epilogue.deletes_originals && session.options().partial)
    throw Error(ErrorKind::usage, "--then-delete deletes nothing that is damaged")
        .hint("leave out --partial");

  // A job has no terminal: its epilogue says nothing of what is not there.
  std::error_code unknown;
  const auto& folder = options.epilogue.folder;
  if (stderr_is_terminal() && !std::filesystem::is_directory(folder, unknown))
    print_error(fmt::format("tracefold: {}: no such folder, so nothing was reduced\n",
                            make_printable(folder.string())));

  lower_priority();
  auto silent = session.context();
  silent.progress = {};  // nobody looks, and a terminal may be the job's
  auto epilogue = options.epilogue;
  if (session.options().as_one)
    epilogue.as_one = session.options().of_archives;
  tracefold::run_epilogue(epilogue, reduction, silent,
                          [&](const JobOutcome& outcome) { log_outcome(options.log, outcome); });
  return 0;
}

bool asks_for_epilogue(int argc, char** argv) {
  return find_value(argc, argv, folder_option).has_value();
}

void log_failed_epilogue(int argc, char** argv, const Error& problem) try {
  JobOutcome outcome;
  outcome.status = problem.kind() == ErrorKind::usage ? JobStatus::wrong_use : JobStatus::failed;
  outcome.trace = find_value(argc, argv, folder_option).value_or("");
  outcome.message = problem.what();
  log_outcome(find_value(argc, argv, log_option).value_or(""), outcome);
} catch (const std::exception&) {
  // Nobody can be told.
}

}  // namespace tracefold::cli
