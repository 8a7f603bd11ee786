#include "cli/command.hpp"
#include "cli/did_you_mean.hpp"

#include "filters/profile/group_profile.hpp"
#include "filters/profile/profile_order.hpp"
#include "pipeline/profile/call_path_pass.hpp"

#include "emitters/profile/profile_tables.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace tracefold::cli {

namespace {

constexpr std::size_t rows_of_a_table = 20;

struct ProfileOptions {
  std::string trace, sort, function, format;
  GroupingOptions grouping;
  std::optional<std::size_t> top, group;
  bool call_paths = false;
};

SortKey sort_key(const ProfileOptions& options) {
  if (options.sort.empty())
    return options.call_paths || !options.function.empty() ? SortKey::inclusive
                                                           : SortKey::variation;

  if (const auto key = sort_key_of(options.sort))
    return *key;

  const std::vector<std::string> known{std::begin(sort_keys), std::end(sort_keys)};
  const auto list = fmt::format("{}", fmt::join(known, ", "));
  throw Error(ErrorKind::usage, fmt::format("--sort {}: no such order", options.sort))
      .hint(did_you_mean(options.sort, known, list));
}

std::size_t most_rows(const ProfileOptions& options) {
  return options.top.value_or(format_of(options.format) == Format::table ? rows_of_a_table : 0);
}

void check(const ProfileOptions& options) {
  check(options.grouping);
  sort_key(options);
  format_of(options.format);
}

// Of the plan's groups those that are asked for.
std::vector<std::size_t> groups_wanted(const Plan& plan, const ProfileOptions& options) {
  const auto n = plan.groups->size();
  std::vector<std::size_t> wanted;
  for (std::size_t g = 0; g < n; ++g)
    if (!options.group || *options.group == g)
      wanted.push_back(g);

  if (options.group && wanted.empty())
    throw Error(ErrorKind::usage, fmt::format("--group {}: there {} {} group{}", *options.group,
                                              n == 1 ? "is" : "are", n, n == 1 ? "" : "s"))
        .hint("'tracefold group' lists them, from 0");

  return wanted;
}

// Reads the trace once: for the groups as well, where the plan has none.
CallProfile read_calls(Session& session, Opened& opened, const ProfileOptions& options) {
  auto& plan = opened.plan;

  if (plan.processes.empty() && !plan.groups) {
    auto calls = call_paths_and_profiles(plan, *opened.archive, session.read_options("profile"),
                                         session.diagnostics);
    group_plan(session, plan, options.grouping);
    return calls;
  }

  if (!plan.groups || options.grouping.groups())
    group_plan(session, plan, options.grouping);

  std::vector<std::size_t> members;
  for (auto g : groups_wanted(plan, options))
    members.insert(members.end(), (*plan.groups)[g].members.begin(),
                   (*plan.groups)[g].members.end());

  std::sort(members.begin(), members.end());

  return call_paths(*opened.archive, plan, members, session.read_options("profile"),
                    session.diagnostics);
}

Error no_match(const Plan& plan, const CallProfile& calls, const std::string& glob) {
  std::set<std::string> called;
  for (const auto& path : calls.paths)
    called.insert(plan.functions[path.function].name);

  return Error(ErrorKind::usage,
               fmt::format("--function '{}': no function that is called matches", glob))
      .hint(did_you_mean(glob, {called.begin(), called.end()},
                         "use * for any text, as in --function '*" + glob + "*'"));
}

ProfileReport report_of(const Plan& plan, const CallProfile& calls, const ProfileOptions& options) {
  using View = ProfileReport::View;
  ProfileReport report{options.call_paths         ? View::call_paths
                       : options.function.empty() ? View::functions
                                                  : View::neighbours,
                       {},
                       {}};

  const auto rows = options.call_paths ? by_call_path(calls) : by_function(calls);
  const auto pairs = report.view == View::neighbours ? by_call_pair(calls) : Breakdown{};
  const auto key = sort_key(options);
  const auto most = most_rows(options);
  bool any = false;

  for (auto g : groups_wanted(plan, options)) {
    auto one = profile_group(plan, g, calls, rows);
    if (report.view == View::functions)
      sort_rows(one, key, plan.functions, most);
    if (report.view == View::call_paths)
      sort_paths(one, calls.paths, key, plan.functions, most);
    if (report.view == View::neighbours)
      one = neighbours_of(options.function, std::move(one), profile_group(plan, g, calls, pairs),
                          key, plan.functions, most);

    any |= !one.rows.empty();
    report.groups.push_back(std::move(one));
  }

  if (report.view == View::neighbours && !any)
    throw no_match(plan, calls, options.function);
  if (options.call_paths)
    report.paths = calls.paths;

  return report;
}

Quantity shown_quantity(SortKey key) {
  return key == SortKey::inclusive ? Quantity::inclusive
         : key == SortKey::visits  ? Quantity::visits
                                   : Quantity::exclusive;
}

int run_profile(Session& session, const ProfileOptions& options) {
  check(options);
  auto opened = open(session, options.trace, true);
  const auto calls = read_calls(session, opened, options);
  session.verbose(fmt::format("profile: {} call paths of {} processes, {:.3f} s",
                              with_spaces(calls.paths.size()), calls.processes.size(),
                              session.seconds()));
  const auto report = report_of(opened.plan, calls, options);
  session.clear_line();

  switch (format_of(options.format)) {
    case Format::table:
      print(profile_table(opened.plan, report, shown_quantity(sort_key(options))));
      break;
    case Format::csv: print(profile_csv(opened.plan, report)); break;
    case Format::json: print(profile_json(opened.plan, report)); break;
  }

  return 0;
}

}  // namespace

void add_profile(Commands& commands) {
  auto options = std::make_shared<ProfileOptions>();
  auto* command = commands.add("profile", "Show how times are spread over processes.",
                               "  tracefold profile app/traces.otf2 --top 5\n  tracefold group "
                               "app/traces.otf2 | tracefold profile --call-paths --group 0",
                               options, run_profile);

  const CLI::Range numbers(std::int64_t{0}, std::int64_t{1} << 32);
  add_trace(command, options->trace, plan_or_trace);
  command->add_option("--sort", options->sort, "variation, exclusive, inclusive, visits or name")
      ->option_text("KEY");
  command->add_option("--top", options->top, "Rows of a group to show (table: 20); 0: all")
      ->option_text("N")
      ->check(numbers);
  command->add_option("--group", options->group, "Only the group of this number")
      ->option_text("N")
      ->check(numbers);
  auto* function = command
                       ->add_option("--function", options->function,
                                    "Show who calls these functions and whom they call")
                       ->option_text("GLOB");

  command->add_flag("--call-paths", options->call_paths, "Show the call tree")->excludes(function);
  add_format(command, options->format);
  add_grouping(command, options->grouping);

  command->footer(
      "Percentiles are over the processes of a group. Outliers are further outside the\nbox from "
      "25 % to 75 % than 1.5 times its height. Functions are sorted "
      "by\nexclusive time × variation, call paths, callers and callees by inclusive time.\nThe "
      "table shows all percentiles of what it is sorted by, else of "
      "exclusive time.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
