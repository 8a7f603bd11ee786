// The command line: options, help, and the one place where errors are caught.
#include "base/interrupt.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/epilogue.hpp"
#include "cli/help.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace tracefold;
using namespace tracefold::cli;

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

void add_commands(Commands& commands) {
  add_reduce(commands);
  add_filter(commands);
  add_group(commands);
  add_select(commands);
  add_write(commands);
  add_similarity(commands);
  add_lattice(commands);
  add_profile(commands);
  add_summary(commands);
  add_report(commands);
  add_iterations(commands);
  add_correlate(commands);
  add_matrix(commands);
  add_expand(commands);
  add_compare(commands);
  add_info(commands);
  add_verify(commands);
}

// At the end of a job the status is always 0 (cli/epilogue.hpp).
int fail(const Error& problem, int argc, char** argv) {
  print_error(fmt::format("tracefold: {}\n", make_readable(problem.what())));
  if (!asks_for_epilogue(argc, argv))
    return static_cast<int>(problem.kind());

  log_failed_epilogue(argc, argv, problem);
  return 0;
}

// What commands and options were called that have another name.
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
};

// How it is called now; none where it never had another name.
const char* find_new_name(std::string_view command, std::string_view word) {
  const auto option = word.substr(0, word.find('='));
  for (const auto& one : renamed)
    if (one.command == command && one.word == option)
      return one.now;
  return nullptr;
}

int usage_error(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
  std::string words = problem.what();
  if (auto line = words.find('\n'); line != std::string::npos)
    words.resize(line);
  if (!dynamic_cast<const CLI::ExtrasError*>(&problem))
    return fail(Error(ErrorKind::usage, words).hint("see 'tracefold --help'"), argc, argv);

  std::vector<std::string> names;
  const CLI::App* command = nullptr;
  for (const auto* c : app.get_subcommands({})) {
    if (argc > 1 && c->get_name() == argv[1])
      command = c;
    names.push_back(c->get_name());
  }

  std::string word = argc > 1 ? argv[1] : "";

  if (command) {
    names.clear();
    for (const auto* option : command->get_options())
      for (const auto& name : option->get_lnames())
        names.push_back("--" + name);
    word = command->remaining().empty() ? words : command->remaining().front();
  }

  const auto* now = find_new_name(command ? command->get_name() : "", word);
  return fail(Error(ErrorKind::usage,
                    fmt::format("unknown {} '{}'", command ? "argument" : "command", word))
                  .hint(now ? now : suggest_name(word, names, "see 'tracefold --help'")),
              argc, argv);
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

// Parses and runs one command; help and version go to stdout like results.
int run_command_line(int argc, char** argv) {
  GeneralOptions general;
  CLI::App app{
      "Makes large OTF2 traces small: finds processes that do the same work, keeps\none of each, "
      "and writes a valid OTF2 trace that says what was folded.",
      "tracefold"};

  app.set_version_flag("-V,--version", std::string("tracefold ") + version);
  app.footer(
      "Examples:\n  tracefold reduce app/traces.otf2 -o small\n  tracefold group app/traces.otf2 | "
      "tracefold select | tracefold write -o small\n\n'tracefold help COMMAND' tells of one "
      "command.");
  app.formatter(std::make_shared<HelpFormatter>());
  Commands commands{app, general, {}};
  add_commands(commands);
  if (argc < 2) {
    print_error("usage: tracefold reduce TRACE.otf2 -o FOLDER   ('tracefold --help' tells more)\n");
    return static_cast<int>(ErrorKind::usage);
  }

  if (argv[1] == std::string_view("help"))
    return print_help(app, {argv + 2, argv + argc});

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());  // of the command, where one was given
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("tracefold {}\n", version));
    return 0;
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, problem, argc, argv);
  }

  for (const auto& [command, run] : commands.runs) {
    if (!command->parsed())
      continue;
    set_text_layout(choose_text_layout(general.wide));
    Session session(general);
    const int status = run(session);
    session.finish();

    return status;
  }

  throw Error(ErrorKind::usage, "no command is given").hint("see 'tracefold --help'");
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  catch_signals();
  allow_many_files();
  try {
    return run_command_line(argc, argv);
  } catch (const Error& problem) {
    return fail(problem, argc, argv);
  } catch (const std::bad_alloc&) {
    return fail(
        Error(ErrorKind::input, "out of memory").hint("use less --memory, or fewer --threads"),
        argc, argv);
  } catch (const std::exception& problem) {
    return fail(Error(ErrorKind::input, problem.what()), argc, argv);
  }
}
