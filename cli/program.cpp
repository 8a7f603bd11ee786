#include "cli/program.hpp"

#include "base/interrupt.hpp"
#include "base/spelling.hpp"
#include "base/team.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/command_line.hpp"
#include "cli/epilogue.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

void on_signal(int number) {
  stop_signal.store(number);
}

void catch_signals() {
  struct ::sigaction action {};
  action.sa_handler = on_signal;
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// Each thread has a few files open; the usual limit is low for many cores.
void allow_many_files() {
  struct ::rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Where stdin, stdout or stderr is closed, the next file that is opened would get its
// number, and messages would be written into it. A file that can be used for nothing
// takes the number of stdin and stdout, and one that takes everything that of stderr.
void occupy_standard_streams() {
  for (const auto& [handle, flags] :
       {std::pair{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}})
    if (::fcntl(handle, F_GETFD) < 0 && errno == EBADF)
      if (::open("/dev/null", flags) < 0)
        return;
}

// At the end of a job the status is always 0 (cli/epilogue.hpp).
ProgramResult fail(const Error& problem, int argc, char** argv) {
  ProgramResult result{static_cast<int>(problem.kind()), make_readable(problem.what())};
  // As the shell tells it of a program that a signal has ended.
  if (problem.kind() == ErrorKind::interrupted && !membership().team && stop_signal != 0)
    result.status = 128 + stop_signal;
  if (!membership().team && asks_for_epilogue(argc, argv)) {
    log_failed_epilogue(argc, argv, problem);
    result.status = 0;
  }

  return result;
}

// What commands and options were called, or are called elsewhere, that have another name.
struct Renamed {
  std::string_view command;  // empty: `word` is a command
  std::string_view word;
  const char* now;
};
constexpr Renamed renamed[] = {
    {"", "pairs", "it is 'tracefold similarity --pairs'"},
    {"matrix", "--by", "--rows says what the rows are"},
    {"select", "--by", "--representative says whom to keep"},
    {"correlate", "--iterations", "it is '--over iterations'"},
    {"iterations", "--iterations", "it is '--clusters C'"},
    {"reduce", "--clusters", "it is '--iterations C'"},
    {"write", "--clusters", "it is '--iterations C'"},
};

// For commands that only show groups: how to give them an option of `group`. None for other words.
const char* find_group_option(const CLI::App& app, const CLI::App& command, std::string_view word) {
  const std::string option(word.substr(0, word.find('=')));
  const bool shows_groups = command.get_name() == "profile" || command.get_name() == "similarity";
  if (!shows_groups || !app.get_subcommand("group")->get_option_no_throw(option))
    return nullptr;
  return "'tracefold group' takes it, and its plan comes in through a pipe";
}

// Ranks are some of the locations that a part of a trace has.
const char* find_part_option(const CLI::App& command, std::string_view word) {
  const auto option = word.substr(0, word.find('='));
  const bool names_ranks = option == "--rank" || option == "--ranks";
  return names_ranks && command.get_option_no_throw("--locations")
             ? "'--locations rank:1' takes some ranks"
             : nullptr;
}

// "it is an option of group and select"; empty where no command has it.
std::string list_owners(const CLI::App& app, std::string_view word) {
  const std::string option(word.substr(0, word.find('=')));
  std::vector<std::string> owners;
  for (const auto* command : app.get_subcommands({}))
    if (option.starts_with("--") && command->get_option_no_throw(option))
      owners.push_back(command->get_name());
  return owners.empty() ? std::string() : "it is an option of " + list_some(owners, 4);
}

// How it is called now; none where it never had another name.
const char* find_new_name(std::string_view command, std::string_view word) {
  const auto option = word.substr(0, word.find('='));
  for (const auto& one : renamed)
    if (one.command == command && one.word == option)
      return one.now;
  return nullptr;
}

// Whether it is a file, or is called as a trace is.
bool may_be_trace(const std::string& word) {
  std::error_code unknown;
  return word.ends_with(".otf2") || std::filesystem::exists(word, unknown);
}

// CLI11 says "--per-group: 1 required TEXT missing", and only the long name. None where the problem
// is another one.
std::optional<Error> describe_missing_value(const CLI::ParseError& problem, const CLI::App* command,
                                            int argc, char** argv) {
  const std::string words = problem.what();
  const auto end = words.find(": ");
  if (!dynamic_cast<const CLI::ArgumentMismatch*>(&problem) || end == std::string::npos ||
      !words.ends_with(" missing"))
    return std::nullopt;

  auto name = words.substr(0, end);
  const std::vector<std::string> given(argv, argv + argc);
  const auto* option = command ? command->get_option_no_throw(name) : nullptr;
  if (option && std::find(given.begin(), given.end(), name) == given.end())
    for (const auto& letter : option->get_snames())
      if (std::find(given.begin(), given.end(), "-" + letter) != given.end())
        name = "-" + letter;
  return Error(ErrorKind::usage, name + " needs a value");
}

// `others` are archives beside a trace, which are too many where one trace is wanted.
Error describe(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv,
               const std::vector<std::string>& others) {
  std::string words = problem.what();
  if (auto line = words.find('\n'); line != std::string::npos)
    words.resize(line);
  std::vector<std::string> names;
  const CLI::App* command = nullptr;
  for (const auto* c : app.get_subcommands({})) {
    if (argc > 1 && c->get_name() == argv[1])
      command = c;
    names.push_back(c->get_name());
  }
  // CLI11 says "--json excludes --format".
  if (dynamic_cast<const CLI::ExcludesError*>(&problem))
    if (const auto at = words.find(" excludes "); at != std::string::npos)
      words.replace(at, std::string_view(" excludes ").size(), " cannot be used with ");
  const auto help = command ? fmt::format("see 'tracefold help {}'", command->get_name())
                            : "see 'tracefold --help'";
  if (auto missing = describe_missing_value(problem, command, argc, argv))
    return std::move(*missing).hint(help);
  if (!dynamic_cast<const CLI::ExtrasError*>(&problem))
    return Error(ErrorKind::usage, words).hint(help);

  std::string word = argc > 1 ? argv[1] : "";

  if (command) {
    names.clear();
    for (const auto* option : command->get_options())
      for (const auto& name : option->get_lnames())
        names.push_back("--" + name);
    word = !others.empty()                ? others.front()
           : command->remaining().empty() ? words
                                          : command->remaining().front();
  }

  const auto* now = find_new_name(command ? command->get_name() : "", word);
  if (command && !now)
    now = find_group_option(app, *command, word);
  if (command && !now)
    now = find_part_option(*command, word);
  if (command && !now && !word.starts_with('-') && command->get_option_no_throw("--trace"))
    now = "'- --trace FILE' is a plan on stdin, and where its trace is";
  if (!command && may_be_trace(word))
    return Error(ErrorKind::usage, fmt::format("no command is given before '{}'", word))
        .hint(fmt::format("as in 'tracefold reduce {} -o small'", word));
  if (command && !now && command->get_name() == "verify")
    now = "--against names the original";
  const bool takes_one = command && command->get_option_no_throw("anchor") != nullptr;
  if (takes_one && !word.starts_with('-') && may_be_trace(word))
    return Error(ErrorKind::usage,
                 fmt::format("{} takes one trace, and '{}' is one more", command->get_name(), word))
        .hint(now ? now : help);
  const auto owners = list_owners(app, word);
  return Error(ErrorKind::usage,
               fmt::format("unknown {} '{}'", command ? "argument" : "command", word))
      .hint(now              ? now
            : owners.empty() ? suggest_name(word, names, help)
                             : owners);
}

// "help", and "help COMMAND", which is "COMMAND --help".
int print_help(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() > 1)
    throw Error(ErrorKind::usage, "help tells of one command")
        .hint("as in 'tracefold help " + words.front() + "'");
  if (words.empty()) {
    print(app.help());
    return 0;
  }

  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    if (command->get_name() == words.front()) {
      print(command->help("tracefold"));
      return 0;
    }
  }
  throw Error(ErrorKind::usage, fmt::format("unknown command '{}'", words.front()))
      .hint(suggest_name(words.front(), names, "see 'tracefold --help'"));
}

// The commands that read all events of a trace that may be too large for one node.
constexpr std::array<std::string_view, 8> shared_commands = {
    "reduce", "group", "write", "profile", "summary", "iterations", "matrix", "info"};

void check_shared(const std::string& command) {
  if (std::find(shared_commands.begin(), shared_commands.end(), command) != shared_commands.end())
    return;
  throw Error(ErrorKind::usage, fmt::format("{} is no command of many nodes", command))
      .hint(fmt::format("'tracefold {}' runs on one, best on the reduced trace", command));
}

// What is wrong with the arguments may be explained by the options of another command.
[[noreturn]] void refuse_arguments(int argc, char** argv) {
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    throw describe(line.app, problem, argc, argv, {});
  }
  if (const auto& others = line.general.of_archives.others; !others.empty())
    throw describe(line.app, CLI::ExtrasError("tracefold", others), argc, argv, others);
  // What one command has no place for is another command.
  throw Error(ErrorKind::usage, "more than one command is given")
      .hint("a pipe joins stages, as in 'tracefold group TRACE.otf2 | tracefold select'");
}

// Parses and runs one command; help and version go to stdout like results.
int run_command_line(int argc, char** argv) {
  if (argc < 2) {
    print_error("usage: tracefold reduce TRACE.otf2 -o FOLDER   ('tracefold --help' tells more)\n");
    return static_cast<int>(ErrorKind::usage);
  }

  const std::string_view first = argv[1];
  if (first == "help")
    return print_help(CommandLine().app, {argv + 2, argv + argc});
  if (first == "-V" || first == "--version") {
    print(fmt::format("tracefold {}\n", version));
    return 0;
  }

  CommandLine line(is_command(first) ? first : "");
  auto& app = line.app;
  auto& general = line.general;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());  // of the command, where one was given
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    print(app.help("", CLI::AppFormatMode::All));
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("tracefold {}\n", version));
    return 0;
  } catch (const CLI::ParseError&) {
    refuse_arguments(argc, argv);
  }

  auto& others = general.of_archives.others;
  if (!general.as_one && !others.empty())
    refuse_arguments(argc, argv);

  for (const auto& [command, run] : line.commands.runs) {
    if (!command->parsed())
      continue;
    if (const auto* more = command->get_option_no_throw("more"); more && general.as_one)
      others = more->results();
    if (membership().team)
      check_shared(command->get_name());
    set_text_layout(choose_text_layout(general.wide));
    Session session(general, command->get_name());
    const int status = run(session);
    session.finish();

    return status;
  }

  throw Error(ErrorKind::usage, "no command is given").hint("see 'tracefold --help'");
}

}  // namespace

void prepare_process() {
  occupy_standard_streams();
  catch_signals();
  allow_many_files();
}

ProgramResult run_program(int argc, char** argv) {
  try {
    return {run_command_line(argc, argv), {}};
  } catch (const Error& problem) {
    return fail(problem, argc, argv);
  } catch (const std::bad_alloc&) {
    return fail(
        Error(ErrorKind::input, "out of memory").hint("use less --memory, or fewer --threads"),
        argc, argv);
  } catch (const TeamStopped& stopped) {
    return {static_cast<int>(ErrorKind::input), stopped.what(), true};
  } catch (const std::exception& problem) {
    return fail(Error(ErrorKind::input, problem.what()), argc, argv);
  }
}

}  // namespace tracefold::cli
