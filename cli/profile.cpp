#include "base/read_file.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"
#include "emitters/profile/process_profile_formats.hpp"
#include "emitters/profile/profile_drawing.hpp"
#include "emitters/profile/profile_formats.hpp"
#include "emitters/summary/critical_path_formats.hpp"
#include "emitters/summary/headline.hpp"
#include "filters/profile/profile_report.hpp"
#include "filters/summary/measure_run.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/reduce/original_ids.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <fmt/format.h>

#include <optional>

namespace tracefold::cli {

namespace {

constexpr std::size_t rows_of_a_table = 20;

struct ProfileCommandOptions : TraceOptions {
  PartOptions part;
  std::optional<Format> format;
  GroupOptions grouping;
  ProfileOptions profile;
  bool call_paths = false, per_process = false, critical_path = false;
  std::string function_groups;  // a word, or a file; empty: none
  std::optional<SortKey> sort;
  std::optional<std::size_t> top;
  std::optional<RunPart> scope;          // none: a drawing's is chosen, else the whole run
  std::optional<std::size_t> per_group;  // clusters by time
  DrawingOptions drawing;

  bool draws() const { return !drawing.out.empty(); }
};

SortKey parse_sort_key(const std::string& word) {
  if (const auto key = find_sort_key(word))
    return *key;

  const std::vector<std::string> known{std::begin(sort_keys), std::end(sort_keys)};
  throw Error(ErrorKind::usage, fmt::format("--sort {}: no such order", word))
      .hint(suggest_name(word, known, fmt::format("{}", fmt::join(known, ", "))));
}

constexpr std::pair<const char*, FunctionGrouping> function_groupings[] = {
    {"paradigm", FunctionGrouping::paradigm},
    {"role", FunctionGrouping::role},
    {"library", FunctionGrouping::library},
    {"class", FunctionGrouping::class_name}};

std::vector<std::string> list_function_groupings() {
  std::vector<std::string> words;
  for (const auto& [word, grouping] : function_groupings)
    words.emplace_back(word);
  return words;
}

// A word says what functions are grouped by; all else is the file of a list.
void choose_function_groups(const std::string& words, ProfileOptions& profile) {
  for (const auto& [word, grouping] : function_groupings)
    if (words == word) {
      profile.function_grouping = grouping;
      return;
    }

  const auto known = list_function_groupings();
  const auto text = read_file(words);
  if (!text)
    throw Error(ErrorKind::usage,
                fmt::format("--function-groups {}: no such file", make_printable(words)))
        .hint(suggest_name(words, known, fmt::format("a file, or {}", fmt::join(known, ", "))));
  try {
    profile.listed_functions = parse_function_groups(*text);
  } catch (Error& problem) {
    throw problem.in(make_printable(words));
  }
  profile.function_grouping = FunctionGrouping::listed;
}

// With the defaults, which depend on the view and on the format.
ProfileOptions complete_options(const ProfileCommandOptions& options) {
  using View = ProfileReport::View;
  auto profile = options.profile;
  profile.view = options.call_paths                 ? View::call_paths
                 : !options.function_groups.empty() ? View::function_groups
                 : profile.function.empty()         ? View::functions
                                                    : View::neighbours;
  profile.sort =
      options.sort.value_or(profile.view == View::functions         ? SortKey::variation
                            : profile.view == View::function_groups ? SortKey::exclusive
                                                                    : SortKey::inclusive);
  profile.counters = true;
  if (!options.function_groups.empty())
    choose_function_groups(options.function_groups, profile);
  profile.most_rows = options.top.value_or(
      options.format.value_or(Format::table) == Format::table ? rows_of_a_table : 0);

  return profile;
}

// Every process by itself; groups only say which of them.
void show_processes(const Session& session, PlanSession& opened,
                    const ProfileCommandOptions& options) {
  const auto profiles = read_process_profiles(opened, options.grouping, options.profile);
  take_original_ids(opened);
  const auto& plan = opened.plan();
  print_as(
      session, options.format,
      [&] { return to_table(plan, profiles, options.top.value_or(rows_of_a_table)); },
      [&] { return to_csv(plan, profiles); }, [&] { return to_json(plan, profiles); });
}

// What the end of the run waited for.
void show_critical_path(const Session& session, PlanSession& opened,
                        const ProfileCommandOptions& options) {
  const auto run =
      measure_run(read_run(opened, choose_run_part(options.part, options.scope)).facts);
  if (!run.critical)
    throw Error(ErrorKind::input, "the critical path of this run is not known")
        .in(run.trace)
        .hint("it takes MPI, and all ends of messages");
  print_as(
      session, options.format,
      [&] { return critical_path_to_table(run, options.top.value_or(rows_of_a_table)); },
      [&] { return critical_path_to_csv(run); }, [&] { return critical_path_to_json(run); });
}

struct ReadCalls {
  CallPathProfiles paths;
  std::string part;  // of the run, in words; empty: all that was recorded
};

// Whether what all processes did is known by parts of the run.
bool knows_parts(PlanSession& opened) {
  return is_whole(opened.archive().facts()) || opened.program();
}

// Groups, and who stands for them, are those of the plan, where it has some.
ReadCalls read_calls_of_part(PlanSession& opened, const ProfileCommandOptions& options) {
  const auto groups = opened.plan().groups;
  const auto representatives = opened.plan().representatives;
  auto facts = read_run(opened, choose_run_part(options.part, options.scope)).facts;
  auto& plan = opened.plan();
  if (groups && options.grouping.are_defaults()) {
    plan.groups = groups;
    plan.representatives = representatives;
  } else {
    opened.group(options.grouping);
    plan.representatives.reset();
  }
  const auto part = describe_part(measure_run(facts));
  return {std::move(facts.calls.profiles), part};
}

ReadCalls read_calls(PlanSession& opened, const ProfileCommandOptions& options,
                     const ProfileOptions& profile) {
  const bool chooses = options.draws() && !options.part.asks_for_times() && knows_parts(opened);
  if (options.scope || chooses)
    return read_calls_of_part(opened, options);
  return {read_call_paths(opened, options.grouping, profile), ""};
}

void show_groups(const Session& session, PlanSession& opened, const ProfileCommandOptions& options,
                 const ProfileOptions& profile) {
  const auto [calls, part] = read_calls(opened, options, profile);
  if (options.per_group)
    opened.select({.per_group = *options.per_group, .keep_odd = false}, {});
  session.context().tell(fmt::format("profile: {} call paths of {} processes",
                                     group_digits(calls.paths.size()), calls.processes.size()));

  const auto report = report_profile(opened, calls, profile);
  take_original_ids(opened);
  const auto& plan = opened.plan();
  if (options.draws()) {
    put_drawing(session, options.drawing, to_svg(plan, report, choose_quantity(profile.sort), part),
                "the profile");
    return;
  }
  print_as(
      session, options.format,
      [&] { return to_table(plan, report, choose_quantity(profile.sort)); },
      [&] { return to_csv(plan, report); }, [&] { return to_json(plan, report); });
}

// Refuses options that contradict each other.
void check(const ProfileCommandOptions& options) {
  check_drawing(options.drawing, options.format);
  if (options.per_process && (options.profile.quarters || !options.function_groups.empty()))
    throw Error(ErrorKind::usage,
                fmt::format("--per-process shows each process by itself, {} several together",
                            options.profile.quarters ? "--quartiles" : "--function-groups"))
        .hint("give one of them");
  if (options.per_process && (options.scope || options.per_group))
    throw Error(ErrorKind::usage,
                "--per-process shows each process by itself, in all that was recorded")
        .hint("give it without --scope and --per-group");
  const auto& profile = options.profile;
  if (options.critical_path && (options.call_paths || options.per_process || options.sort ||
                                profile.quarters || profile.group || options.per_group ||
                                !profile.function.empty() || !options.function_groups.empty()))
    throw Error(ErrorKind::usage, "--critical-path is a view of its own, of all processes")
        .hint("it takes --top, --scope and a part of the trace");
  if (!profile.ratio.empty() && (profile.quarters || options.critical_path || options.draws()))
    throw Error(ErrorKind::usage, fmt::format("--ratio is a column of tables, which {} not have",
                                              profile.quarters        ? "--quartiles does"
                                              : options.critical_path ? "--critical-path does"
                                                                      : "drawings do"))
        .hint("give one of them");
  if (options.draws() && (options.per_process || profile.quarters || options.critical_path))
    throw Error(ErrorKind::usage,
                fmt::format("-o draws box plots, and {}",
                            options.per_process     ? "--per-process lists processes"
                            : options.critical_path ? "--critical-path lists calls"
                                                    : "--quartiles lists processes"))
        .hint("give one of them");
}

int run_profile(Session& session, const ProfileCommandOptions& options) {
  check(options);
  if (options.critical_path) {
    auto opened = open_plan(session, options);
    apply_part(opened, options.part);
    show_critical_path(session, opened, options);
    return 0;
  }
  const auto profile = complete_options(options);  // refuses a bad list before a trace is read
  auto opened = open_plan(session, options);
  apply_part(opened, options.part);
  opened.ask_for_all();
  if (options.per_process)
    show_processes(session, opened, options);
  else
    show_groups(session, opened, options, profile);

  return 0;
}

}  // namespace

void add_profile(Commands& commands) {
  auto options = std::make_shared<ProfileCommandOptions>();
  auto* command = commands.add("profile", "Show how times are spread over processes.",
                               "  tracefold profile app/traces.otf2 --top 5\n  tracefold group "
                               "app/traces.otf2 | tracefold profile --call-paths --group 0",
                               options, run_profile);

  const auto numbers = in_range(0, std::int64_t{1} << 32);
  add_trace_or_plan(command, *options);
  auto* sort = add_parsed(command, "--sort", options->sort, parse_sort_key,
                          "variation, exclusive, inclusive, visits or name")
                   ->option_text("KEY")
                   ->check(offer({std::begin(sort_keys), std::end(sort_keys)}));
  command->add_option("--top", options->top, "Rows of a group to show (table: 20); 0: all")
      ->option_text("N")
      ->check(numbers);
  command->add_option("--group", options->profile.group, "Only the group of this number")
      ->option_text("N")
      ->check(numbers);
  auto* function = command
                       ->add_option("--function", options->profile.function,
                                    "Show who calls these, or file:GLOB, and whom they call")
                       ->option_text("GLOB");

  auto* call_paths = command->add_flag("--call-paths", options->call_paths, "Show the call tree")
                         ->excludes(function);
  command
      ->add_option("--function-groups", options->function_groups,
                   "By paradigm, role, library, class or as a FILE lists")
      ->option_text("WORD|FILE")
      ->check(offer(list_function_groupings()))
      ->check(not_empty())
      ->excludes(function)
      ->excludes(call_paths);
  command->add_flag("--quartiles", options->profile.quarters,
                    "Which processes are in which quartile of each row");
  command
      ->add_flag("--per-process", options->per_process,
                 "Show each process by itself: call paths, all metrics")
      ->excludes(function)
      ->excludes(call_paths)
      ->excludes(sort);
  command
      ->add_option("--ratio", options->profile.ratio,
                   "Also A by B: counters, visits, bytes; by time: a rate")
      ->option_text("A/B")
      ->check(not_empty());
  command->add_flag("--critical-path", options->critical_path,
                    "Only what the end of the run waited for");
  add_scope(command, options->scope);
  add_parsed(command, "--per-group", options->per_group, parse_per_group,
             "Show so many clusters by time of each group")
      ->option_text("K|auto");
  add_format(command, options->format);
  add_drawing(command, options->drawing);
  add_by_and_threshold(command, options->grouping);
  add_part(command, options->part);

  command->footer(
      "First comes how much time the processes of each group have in the functions with\n"
      "most time: the least, the mean and the most of them. Then come all processes\n"
      "together and each group, or the clusters of a plan's groups. Percentiles are\n"
      "over the processes of a group. Outliers are further outside the box from 25 % to\n"
      "75 % than 1.5 times its height. Functions are sorted by exclusive time ×\n"
      "variation, groups of functions by exclusive time, all else by inclusive time.\n"
      "The table shows all percentiles of what it is sorted by, else of exclusive\n"
      "time; of that also the time for each visit and the share of all time of the\n"
      "processes, and of recorded metrics the median without callees. In a list of\n"
      "--function-groups a line is the name of a group, and lines below it that begin\n"
      "with blanks are its functions: globs of names, or file:GLOB. With --per-process\n"
      "the table shows what takes most time, CSV and JSON have all metrics, also of\n"
      "what is recorded outside of calls. --ratio PAPI_TOT_INS/PAPI_TOT_CYC, or\n"
      "bytes/time for a rate by second, divides sums over the processes that record\n"
      "both, without callees. What was folded or left out when a trace was reduced\n"
      "counts by what is stored beside it. Drawings are of the main loop where there\n"
      "is one, all else is of the whole run, unless --scope says otherwise.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
