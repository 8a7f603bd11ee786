// The command line: options, help, and the one place where errors are caught.
#include "cli/commands.hpp"
#include "emitters/tables.hpp"
#include "model/version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace {

using namespace tracefold;
using namespace tracefold::cli;

void on_signal(int number) { stop_signal.store(number); }

void catch_signals() {
  struct ::sigaction action {};
  action.sa_handler = on_signal;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// Each thread has a few files open; the usual limit is low for many cores.
void allow_many_files() {
  struct ::rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

using Run = std::function<int(Session&)>;

// One command with the options that all have.
CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* examples, GeneralOptions& general) {
  auto* command = app.add_subcommand(name, what);
  command->footer(std::string("Examples:\n") + examples);
  command->add_option("--threads", general.threads, "Threads to use (default: all cores)")->option_text("N")->group("General")->check(CLI::Range(1u, 4096u));
  command->add_flag("-q,--quiet", general.quiet, "Print no notes and no warnings")->group("General");
  command->add_flag("-v,--verbose", general.verbose, "Say what each stage did and took")->group("General");
  command->add_flag("--partial", general.partial, "Use what damaged event files hold")->group("General");
  command->add_option("--reader", general.reader, "Who reads the events: own (the default), otf2")->option_text("R")->group("General")->check(CLI::IsMember({"own", "otf2"}));
  command->set_help_flag("-h,--help", "Print this help")->group("General");
  return command;
}

void add_trace(CLI::App* command, std::string& trace, const char* what) { command->add_option("trace", trace, what)->option_text("TRACE.otf2"); }

template <class Options>
void add_output(CLI::App* command, Options& o) {
  command->add_option("-o,--output", o.out, "Folder to make, with traces.otf2 in it")->option_text("FOLDER");
  command->add_flag("--force", o.force, "Replace an existing output");
  command->add_option("--iterations", o.iterations, "Keep all iterations: off (the default)")->option_text("off");
  command->add_flag("--keep-ids", o.keep_ids, "Leave location ids as they were");
  command->add_flag("--plain-names", o.plain_names, "Do not put counts into names");
}

template <class Options>
void add_threshold(CLI::App* command, Options& o) {
  auto* threshold = command->add_option("--threshold", o.threshold, "Merge groups of at least this similarity (0.83)")->option_text("S");
  command->add_flag("--exact", o.exact, "Only equal processes are one group: --threshold 1")->excludes(threshold);
}

struct AllOptions {
  GeneralOptions general;
  ReduceOptions reduce;
  FilterOptions filter;
  GroupOptions group;
  SelectOptions select;
  WriteOptions write;
  PlanOptions info;
  VerifyOptions verify;
};

constexpr const char* plan_or_trace = "Anchor file of the trace (default: a plan on stdin)";

// The table of commands; one entry per command.
void add_commands(CLI::App& app, AllOptions& o, std::vector<std::pair<CLI::App*, Run>>& runs) {
  auto* reduce_command = add_command(app, "reduce", "Find processes that do the same work, keep one of each, and write a small trace.",
      "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce app/traces.otf2 -o small --exact --representative slowest", o.general);
  add_trace(reduce_command, o.reduce.trace, "Anchor file of the trace");
  add_output(reduce_command, o.reduce);
  add_threshold(reduce_command, o.reduce);
  reduce_command->add_option("--representative", o.reduce.representative, "Whom to keep: first, medoid or slowest (medoid)")->option_text("WAY");
  runs.emplace_back(reduce_command, [&](Session& s) { return reduce(s, o.reduce); });

  auto* filter_command = add_command(app, "filter", "Say which functions and processes count; what follows reads no others.",
      "  tracefold filter app/traces.otf2 --drop 'MPI_Comm_*' | tracefold group\n  tracefold filter app/traces.otf2 --locations 0-63 | tracefold write -o part", o.general);
  add_trace(filter_command, o.filter.trace, plan_or_trace);
  filter_command->add_option("--drop", o.filter.drop, "Drop calls of functions whose name matches; may repeat")->option_text("GLOB");
  filter_command->add_option("--keep", o.filter.keep, "Keep only calls of functions that match; may repeat")->option_text("GLOB");
  filter_command->add_option("--locations", o.filter.locations, "Keep only these location ids, as in 0-6:2,9")->option_text("RANGES");
  filter_command->add_flag("--json", o.filter.json, "Print the plan, on a terminal too");
  runs.emplace_back(filter_command, [&](Session& s) { return filter(s, o.filter); });

  auto* group_command = add_command(app, "group", "Find processes that do the same work.",
      "  tracefold group app/traces.otf2\n  tracefold group app/traces.otf2 --exact | tracefold select | tracefold write -o small", o.general);
  add_trace(group_command, o.group.trace, plan_or_trace);
  add_threshold(group_command, o.group);
  group_command->add_flag("--json", o.group.json, "Print the plan, on a terminal too");
  runs.emplace_back(group_command, [&](Session& s) { return group(s, o.group); });

  auto* select_command = add_command(app, "select", "Choose a representative of each group.",
      "  tracefold group app/traces.otf2 | tracefold select --by slowest\n  tracefold group app/traces.otf2 | tracefold select | tracefold write -o small", o.general);
  add_trace(select_command, o.select.trace, plan_or_trace);
  select_command->add_option("--by", o.select.by, "Whom to keep: first, medoid or slowest (medoid)")->option_text("WAY");
  select_command->add_flag("--json", o.select.json, "Print the plan, on a terminal too");
  runs.emplace_back(select_command, [&](Session& s) { return select(s, o.select); });

  auto* write_command = add_command(app, "write", "Write the trace that a plan describes.",
      "  tracefold group app/traces.otf2 | tracefold select | tracefold write -o small\n  tracefold write -o small < plan.json", o.general);
  add_trace(write_command, o.write.trace, plan_or_trace);
  add_output(write_command, o.write);
  runs.emplace_back(write_command, [&](Session& s) { return write(s, o.write); });

  auto* info_command = add_command(app, "info", "Tell what a trace holds.", "  tracefold info app/traces.otf2\n  tracefold info app/traces.otf2 --json | jq .events", o.general);
  add_trace(info_command, o.info.trace, "Anchor file of the trace");
  info_command->add_flag("--json", o.info.json, "Print JSON");
  runs.emplace_back(info_command, [&](Session& s) { return info(s, o.info); });

  auto* verify_command = add_command(app, "verify", "Check a reduced trace against the one it was made from.",
      "  tracefold verify small/traces.otf2 --against app/traces.otf2\n  tracefold verify small/traces.otf2 --against app/traces.otf2 && rm -r app", o.general);
  verify_command->add_option("reduced", o.verify.reduced, "Anchor file of the reduced trace")->option_text("REDUCED.otf2");
  verify_command->add_option("--against", o.verify.original, "Anchor file of the original")->option_text("ORIGINAL.otf2");
  runs.emplace_back(verify_command, [&](Session& s) { return verify(s, o.verify); });
}

int fail(const Error& problem) {
  fmt::print(stderr, "tracefold: {}\n", printable(problem.what()));
  return static_cast<int>(problem.kind());
}

// The name that a misspelt one is nearest to, if any is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = 3;
  for (const auto& name : known) {
    std::vector<std::size_t> row(name.size() + 1);
    for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      auto diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= name.size(); ++j)
        diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (word[i - 1] != name[j - 1])}));
    }
    if (row.back() < least) least = row.back(), best = name;
  }
  return best.empty() ? "see 'tracefold --help'" : fmt::format("did you mean '{}'?", best);
}

int usage_error(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
  std::string words = problem.what();
  if (auto line = words.find('\n'); line != std::string::npos) words.resize(line);
  if (!dynamic_cast<const CLI::ExtrasError*>(&problem)) return fail(Error(ErrorKind::usage, words).hint("see 'tracefold --help'"));
  std::vector<std::string> names;
  const CLI::App* command = nullptr;
  for (const auto* c : app.get_subcommands({})) {
    if (argc > 1 && c->get_name() == argv[1]) command = c;
    names.push_back(c->get_name());
  }
  std::string word = argc > 1 ? argv[1] : "";
  if (command) {
    names.clear();
    for (const auto* option : command->get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    word = command->remaining().empty() ? words : command->remaining().front();
  }
  return fail(Error(ErrorKind::usage, fmt::format("unknown {} '{}'", command ? "argument" : "command", word)).hint(did_you_mean(word, names)));
}

// Parses and runs one command; help and version go to stdout like results.
int run_command_line(int argc, char** argv) {
  AllOptions options;
  std::vector<std::pair<CLI::App*, Run>> runs;
  CLI::App app{"Makes large OTF2 traces small: finds processes that do the same work, keeps\none of each, and writes a valid OTF2 trace that says what was folded.", "tracefold"};
  app.set_version_flag("--version", std::string("tracefold ") + version);
  app.footer("Examples:\n  tracefold reduce app/traces.otf2 -o small\n  tracefold group app/traces.otf2 | tracefold select | tracefold write -o small");
  add_commands(app, options, runs);
  if (argc < 2) {
    fmt::print(stderr, "usage: tracefold reduce TRACE.otf2 -o FOLDER   ('tracefold --help' tells more)\n");
    return static_cast<int>(ErrorKind::usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen.front()->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("tracefold {}\n", version));
    return 0;
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, problem, argc, argv);
  }
  for (const auto& [command, run] : runs) {
    if (!command->parsed()) continue;
    Session session(options.general);
    const int status = run(session);
    session.finish();
    return status;
  }
  throw Error(ErrorKind::usage, "no command is given").hint("see 'tracefold --help'");
}

}  // namespace

int main(int argc, char** argv) {
  catch_signals();
  allow_many_files();
  try {
    return run_command_line(argc, argv);
  } catch (const Error& problem) {
    return fail(problem);
  } catch (const std::bad_alloc&) {
    return fail(Error(ErrorKind::input, "out of memory").hint("use fewer --threads"));
  } catch (const std::exception& problem) {
    return fail(Error(ErrorKind::input, problem.what()));
  }
}
