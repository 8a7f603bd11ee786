#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "base/spelling.hpp"
#include "filters/profile/profile_report.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include "emitters/profile/process_profile_formats.hpp"
#include "emitters/profile/profile_formats.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <optional>

namespace tracefold::cli {

namespace {

constexpr std::size_t rows_of_a_table = 20;

struct ProfileCommandOptions : TraceOptions {
  std::optional<Format> format;
  GroupOptions grouping;
  ProfileOptions profile;
  bool call_paths = false, per_process = false;
  std::optional<SortKey> sort;
  std::optional<std::size_t> top;
};

SortKey parse_sort_key(const std::string& word) {
  if (const auto key = find_sort_key(word))
    return *key;

  const std::vector<std::string> known{std::begin(sort_keys), std::end(sort_keys)};
  throw Error(ErrorKind::usage, fmt::format("--sort {}: no such order", word))
      .hint(suggest_name(word, known, fmt::format("{}", fmt::join(known, ", "))));
}

// With the defaults, which depend on the view and on the format.
ProfileOptions complete_options(const ProfileCommandOptions& options) {
  using View = ProfileReport::View;
  auto profile = options.profile;
  profile.view = options.call_paths         ? View::call_paths
                 : profile.function.empty() ? View::functions
                                            : View::neighbours;
  profile.sort = options.sort.value_or(profile.view == View::functions ? SortKey::variation
                                                                       : SortKey::inclusive);
  profile.most_rows = options.top.value_or(
      options.format.value_or(Format::table) == Format::table ? rows_of_a_table : 0);

  return profile;
}

Quantity choose_quantity(SortKey key) {
  return key == SortKey::inclusive ? Quantity::inclusive
         : key == SortKey::visits  ? Quantity::visits
                                   : Quantity::exclusive;
}

// Every process by itself; groups only say which of them.
void show_processes(const Session& session, PlanSession& opened,
                    const ProfileCommandOptions& options) {
  const auto profiles = read_process_profiles(opened, options.grouping, options.profile);
  const auto& plan = opened.plan();
  print_as(
      session, options.format,
      [&] { return to_table(plan, profiles, options.top.value_or(rows_of_a_table)); },
      [&] { return to_csv(plan, profiles); }, [&] { return to_json(plan, profiles); });
}

void show_groups(const Session& session, PlanSession& opened,
                 const ProfileCommandOptions& options) {
  const auto profile = complete_options(options);
  const auto calls = read_call_paths(opened, options.grouping, profile);
  session.context().tell(fmt::format("profile: {} call paths of {} processes",
                                     group_digits(calls.paths.size()), calls.processes.size()));

  const auto& plan = opened.plan();
  const auto report = make_profile_report(plan, calls, profile);
  print_as(
      session, options.format,
      [&] { return to_table(plan, report, choose_quantity(profile.sort)); },
      [&] { return to_csv(plan, report); }, [&] { return to_json(plan, report); });
}

int run_profile(Session& session, const ProfileCommandOptions& options) {
  auto opened = open_plan(session, options);
  opened.ask_for_all();
  if (options.per_process)
    show_processes(session, opened, options);
  else
    show_groups(session, opened, options);

  return 0;
}

}  // namespace

void add_profile(Commands& commands) {
  auto options = std::make_shared<ProfileCommandOptions>();
  auto* command = commands.add("profile", "Show how times are spread over processes.",
                               "  tracefold profile app/traces.otf2 --top 5\n  tracefold group "
                               "app/traces.otf2 | tracefold profile --call-paths --group 0",
                               options, run_profile);

  const CLI::Range numbers(std::int64_t{0}, std::int64_t{1} << 32);
  add_trace_or_plan(command, *options);
  auto* sort = add_parsed(command, "--sort", options->sort, parse_sort_key,
                          "variation, exclusive, inclusive, visits or name")
                   ->option_text("KEY");
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
      ->add_flag("--per-process", options->per_process,
                 "Show each process by itself: call paths, all metrics")
      ->excludes(function)
      ->excludes(call_paths)
      ->excludes(sort);
  add_format(command, options->format);
  add_grouping(command, options->grouping);

  command->footer(
      "Percentiles are over the processes of a group. Outliers are further outside the\nbox from "
      "25 % to 75 % than 1.5 times its height. Functions are sorted "
      "by\nexclusive time × variation, call paths, callers and callees by inclusive time.\nThe "
      "table shows all percentiles of what it is sorted by, else of "
      "exclusive time.\nWith --per-process it shows what takes most time, CSV and JSON have all\n"
      "metrics, also of what is recorded outside of calls. What was folded or left out\n"
      "when a trace was reduced counts by what is stored beside it.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
