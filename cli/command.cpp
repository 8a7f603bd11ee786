#include "cli/command.hpp"

#include "base/ranges.hpp"
#include "emitters/iterations/folded_loops.hpp"
#include "emitters/tables.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/group.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracefold::cli {

CLI::App* Commands::add_with_general_options(const char* name, const char* what,
                                             const char* examples) {
  auto* command = app.add_subcommand(name, what);
  command->footer(std::string("Examples:\n") + examples);
  command->add_option("--threads", general.threads, "Threads to use (default: all cores)")
      ->option_text("N")
      ->group("General")
      ->check(CLI::Range(1u, 4096u));
  command->add_option("--memory", general.memory, "Memory to do with (default: a quarter of all)")
      ->option_text("LIMIT")
      ->group("General")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1} << 20, unlimited_memory));
  command->add_flag("-q,--quiet", general.quiet, "Print no notes and no warnings")
      ->group("General");
  command->add_flag("-v,--verbose", general.verbose, "Say what each stage did and took")
      ->group("General");
  command->add_flag("--partial", general.partial, "Use what damaged event files hold")
      ->group("General");
  command->add_option("--reader", general.reader, "Who reads the events: own (the default), otf2")
      ->option_text("R")
      ->group("General")
      ->check(CLI::IsMember({"own", "otf2"}));
  command->set_help_flag("-h,--help", "Print this help")->group("General");
  return command;
}

void add_trace(CLI::App* command, std::string& trace, const char* what) {
  command->add_option("trace", trace, what)->option_text("TRACE.otf2");
}

void add_plan(CLI::App* command, PlanOptions& options) {
  add_trace(command, options.trace, plan_or_trace);
  command->add_flag("--json", options.json, "Print the plan, on a terminal too");
}

void add_grouping(CLI::App* command, GroupingOptions& options) {
  auto* threshold = command
                        ->add_option("--threshold", options.threshold,
                                     "Merge groups of at least this similarity (0.83)")
                        ->option_text("S");
  command->add_flag("--exact", options.exact, "Only equal processes are one group: --threshold 1")
      ->excludes(threshold);
  add_comparison(command, options);
}

void add_comparison(CLI::App* command, GroupingOptions& options) {
  command->add_option("--by", options.by, "What to compare: call pairs or functions (pairs)")
      ->option_text("pairs|functions");
  command
      ->add_option("--ignore", options.ignore, "Compare without functions that match; may repeat")
      ->option_text("GLOB");
  command->add_flag("--ignore-root", options.ignore_root, "Compare without artificial roots");
  command
      ->add_option("--combine", options.combine,
                   "Compare matching processes of a rank as one; may repeat")
      ->option_text("GLOB");
}

void check(const GroupingOptions& options) {
  if (options.threshold && !(*options.threshold >= 0 && *options.threshold <= 1))
    throw Error(ErrorKind::usage,
                fmt::format("--threshold {}: not between 0 and 1", *options.threshold));
  if (options.by)
    compare_by_of(*options.by);
}

Comparison comparison_of(Session& session, const Plan& plan, const GroupingOptions& options) {
  auto comparison = plan.comparison;
  if (options.by)
    comparison.by = compare_by_of(*options.by);
  if (!options.ignore.empty())
    comparison.ignore = options.ignore;
  if (options.ignore_root)
    comparison.ignore_root = true;
  if (!options.combine.empty())
    comparison.combine = options.combine;
  for (const auto& words : idle_patterns(plan, comparison))
    session.diagnostics.warn(words);

  return comparison;
}

void group_plan(Session& session, Plan& plan, const GroupingOptions& options) {
  plan.comparison = {};
  group(plan, options.exact ? 1 : options.threshold.value_or(default_threshold),
        comparison_of(session, plan, options));
}

void add_selection(CLI::App* command, SelectionOptions& options, const char* representative) {
  command
      ->add_option(representative, options.representative,
                   "Whom to keep: first, medoid or slowest (medoid)")
      ->option_text("WAY");

  command
      ->add_option("--per-group", options.per_group,
                   "Clusters by time per group, one kept of each (1)")
      ->option_text("K|auto");

  command->add_flag("--keep-extremes", options.keep_extremes,
                    "Keep the fastest and slowest of each group, too");
  command->add_option("--always", options.always, "Keep these location ids, too, as in 0-6:2,9")
      ->option_text("RANGES");
}

Selection selection_of(const SelectionOptions& options) {
  return {choice_of(options.representative), per_group_of(options.per_group), options.keep_extremes,
          from_ranges(options.always)};
}

void add_output(CLI::App* command, OutputOptions& options) {
  command->add_option("-o,--output", options.out, "Folder to make, with traces.otf2 in it")
      ->option_text("FOLDER");
  command->add_flag("--force", options.force, "Replace an existing output");
  command->add_flag("--keep-ids", options.keep_ids, "Leave location ids as they were");
  command
      ->add_option("--verify", options.verify,
                   "Read what was written again: auto, on or off (auto)")
      ->option_text("WHEN");

  command->add_flag("--plain-names", options.plain_names, "Do not put counts into names");
}

namespace {

CheckOutput check_of(const std::string& word) {
  if (word == "auto")
    return CheckOutput::where_cheap;
  if (word == "on")
    return CheckOutput::always;
  if (word == "off")
    return CheckOutput::never;

  throw Error(ErrorKind::usage, fmt::format("--verify {}: no such choice", word))
      .hint("auto, on or off");
}

}  // namespace

void check(const OutputOptions& options) {
  check_of(options.verify);
  refuse_existing(options.out, options.force);
}

void refuse_existing(const std::string& out, bool force) {
  struct ::stat facts {};
  if (!force && !out.empty() && out != "-" && ::lstat(out.c_str(), &facts) == 0)
    throw Error(ErrorKind::output, "already exists")
        .in(out)
        .hint("choose another name, or use --force to replace it");
}

void add_format(CLI::App* command, std::string& format) {
  command->add_option("--format", format, "table (the default), csv or json")
      ->option_text("FORMAT");
}

Format format_of(const std::string& word) {
  if (word.empty() || word == "table")
    return Format::table;
  if (word == "csv")
    return Format::csv;
  if (word == "json")
    return Format::json;

  throw Error(ErrorKind::usage, fmt::format("--format {}: no such format", word))
      .hint("table, csv or json");
}

RewriteSummary write_plan(Session& session, const Archive& archive, const Plan& plan,
                          const OutputOptions& output) {
  if (output.out.empty())
    throw Error(ErrorKind::usage, "no output is given").hint("say where with -o FOLDER");
  RewriteOptions options;
  static_cast<ReadOptions&>(options) = session.read_options("rewrite");
  options.check = check_of(output.verify);
  options.force = output.force;
  options.keep_ids = output.keep_ids;
  options.plain_names = output.plain_names;
  const auto done = rewrite(archive, plan, output.out, options, session.diagnostics);
  struct ::rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  session.verbose(fmt::format("rewrite: done{} after {:.3f} s, peak memory {}",
                              done.checked ? " and read again" : "", session.seconds(),
                              as_bytes(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024)));
  return done;
}

std::string summary_of(const Session& session, const Archive& archive, const Plan& plan,
                       const RewriteSummary& done) {
  const auto before = archive.definitions().locations().size();
  std::string out = plan.iterations ? folded_table(plan) + "\n" : "";
  out += fmt::format("locations {} -> {}, events {} -> {}, {} -> {}, {:.2f} s\n",
                     with_spaces(before), with_spaces(done.locations),
                     with_spaces(plan.trace.events), with_spaces(done.events),
                     as_bytes(archive.bytes()), as_bytes(done.bytes), session.seconds());
  std::string cut;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k])
      cut += fmt::format("{}{} {}", cut.empty() ? "" : ", ", with_spaces(done.cut[k]),
                         event_table[k].name);
  const bool collapses =
      plan.iterations &&
      std::any_of(plan.iterations->loops.begin(), plan.iterations->loops.end(),
                  [](const auto& l) { return l.choice.kept.size() < l.choice.kept_of.size(); });
  if (!cut.empty())
    out +=
        fmt::format("left out with their partners{}: {}\n", collapses ? " or iterations" : "", cut);
  return out;
}

namespace {

// True where a file or a pipe with something in it is on stdin.
bool plan_waits_on_stdin() {
  struct ::stat facts {};
  if (::fstat(STDIN_FILENO, &facts) != 0)
    return false;
  if (S_ISREG(facts.st_mode))
    return facts.st_size > 0;
  int bytes = 0;
  return S_ISFIFO(facts.st_mode) && ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

std::string describe(const TraceIdentity& i) {
  return fmt::format("{} bytes, changed at {} ns, sha256 {:.12}", i.size, i.mtime_ns, i.sha256);
}

// The trace of a plan, as it was when the plan was made.
void open_archive(Session& session, Opened& opened) {
  opened.archive.emplace(opened.plan.trace.anchor, session.diagnostics);
  const auto now = opened.archive->identity();
  if (now != opened.plan.trace.identity)
    throw Error(ErrorKind::input,
                fmt::format("the trace has changed since the plan was made: {} then, {} now",
                            describe(opened.plan.trace.identity), describe(now)))
        .in(opened.plan.trace.anchor)
        .hint("make the plan again");
}

bool has_profiles(const Plan& plan) {
  return !plan.processes.empty() || plan.groups;
}

}  // namespace

Opened open(Session& session, const std::string& trace, bool reads_trace) {
  Opened opened;
  if (!trace.empty() && trace != "-") {
    if (plan_waits_on_stdin())
      throw Error(ErrorKind::usage, "a trace is given and a plan comes on stdin")
          .hint("give one of them");
    opened.archive.emplace(trace, session.diagnostics);
    opened.plan = plan_of(*opened.archive, {});
    return opened;
  }
  opened.plan = plan_from_json(read_stdin());
  if (reads_trace)
    open_archive(session, opened);
  return opened;
}

void need_profiles(Session& session, Opened& opened) {
  if (has_profiles(opened.plan))
    return;
  profile_into(opened.plan, *opened.archive, session.read_options("profile"), session.diagnostics);
  session.verbose(fmt::format("profile: {} events of {} processes, {:.3f} s",
                              with_spaces(opened.plan.trace.events), opened.plan.processes.size(),
                              session.seconds()));
}

Opened open_profiles(Session& session, const std::string& trace) {
  auto opened = open(session, trace, false);
  if (!opened.archive && !has_profiles(opened.plan))
    open_archive(session, opened);
  need_profiles(session, opened);
  return opened;
}

Opened open_groups(Session& session, const std::string& trace, const GroupingOptions& grouping,
                   bool anew) {
  auto opened = open_profiles(session, trace);
  if (!opened.plan.groups || anew)
    group_plan(session, opened.plan, grouping);
  return opened;
}

void print_plan(const Session& session, const Plan& plan, bool json, const std::string& table) {
  session.clear_line();
  print(json || !stdout_is_terminal() ? to_json(plan) : table);
}

}  // namespace tracefold::cli
