#include "filters/profile/profile_report.hpp"

#include "base/error.hpp"
#include "filters/profile/profile_groups.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold {

using View = ProfileReport::View;

std::vector<std::size_t> choose_groups(const Plan& plan, const ProfileOptions& options) {
  const auto n = plan.groups->size();
  std::vector<std::size_t> chosen;
  for (std::size_t g = 0; g < n; ++g)
    if (!options.group || *options.group == g)
      chosen.push_back(g);

  if (options.group && chosen.empty())
    throw Error(ErrorKind::usage, fmt::format("`group` {}: there {} {} group{}", *options.group,
                                              n == 1 ? "is" : "are", n, n == 1 ? "" : "s"))
        .hint("'tracefold group' lists them, from 0");

  return chosen;
}

std::vector<std::size_t> find_members(const Plan& plan, const ProfileOptions& options) {
  std::vector<std::size_t> members;
  for (auto g : choose_groups(plan, options)) {
    const auto& more = (*plan.groups)[g].members;
    members.insert(members.end(), more.begin(), more.end());
  }

  std::sort(members.begin(), members.end());

  return members;
}

namespace {

Error function_is_never_called(const Plan& plan, const CallPathProfiles& calls,
                               const std::string& glob) {
  std::set<Function> called;
  for (const auto& path : calls.paths)
    called.insert(plan.functions[path.function]);
  auto hint = suggest_function(glob, {called.begin(), called.end()});
  if (hint.empty())
    hint = "use * for any text, as in `function` '*" + glob + "*'";

  return Error(ErrorKind::usage,
               fmt::format("`function` '{}': no function that is called matches", glob))
      .hint(hint);
}

}  // namespace

ProfileReport make_profile_report(const Plan& plan, const CallPathProfiles& calls,
                                  const ProfileOptions& options) {
  ProfileReport report{options.view, {}, {}};
  const auto rows = break_down(
      calls, options.view == View::call_paths ? BreakDownBy::call_path : BreakDownBy::function);
  const auto pairs =
      options.view == View::neighbours ? break_down(calls, BreakDownBy::call_pair) : Breakdown{};

  for (auto g : choose_groups(plan, options)) {
    auto group = profile_group(plan, g, calls, rows);
    switch (options.view) {
      case View::functions:
        sort_rows(group, options.sort, plan.functions, options.most_rows);
        break;
      case View::call_paths:
        sort_paths(group, calls.paths, options.sort, plan.functions, options.most_rows);
        break;
      case View::neighbours:
        group = list_neighbours(options.function, std::move(group),
                                profile_group(plan, g, calls, pairs), options.sort, plan.functions,
                                options.most_rows);
        break;
    }

    report.groups.push_back(std::move(group));
  }

  const bool is_empty = std::all_of(report.groups.begin(), report.groups.end(),
                                    [](const auto& group) { return group.rows.empty(); });
  if (options.view == View::neighbours && is_empty)
    throw function_is_never_called(plan, calls, options.function);
  if (options.view == View::call_paths)
    report.paths = calls.paths;

  return report;
}

}  // namespace tracefold
