#include "filters/profile/profile_report.hpp"

#include "base/error.hpp"
#include "filters/profile/profile_groups.hpp"
#include "filters/profile/unknown_counters.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

// Makes the rows of one group of processes after the other.
class ReportMaker {
 public:
  ReportMaker(const Plan& plan, const CallPathProfiles& calls, const ProfileOptions& options,
              const FunctionGroups& groups, const MetricRatio* ratio)
      : plan_(plan), calls_(calls), options_(options), functions_(&plan.functions), ratio_(ratio) {
    switch (options.view) {
      case View::call_paths: rows_ = break_down(calls, BreakDownBy::call_path); break;
      case View::function_groups: rows_ = break_down(calls, groups.group_of); break;
      case View::neighbours: pairs_ = break_down(calls, BreakDownBy::call_pair); [[fallthrough]];
      case View::functions: rows_ = break_down(calls, BreakDownBy::function); break;
    }
    if (options.quarters)
      quarters_of_ = choose_quantity(options.sort);
    if (options.view == View::function_groups) {
      for (const auto& name : groups.names)
        named_groups_.emplace_back().name = name;
      functions_ = &named_groups_;
    }
  }

  GroupProfile make_all() const { return sort(measure(all_groups, std::nullopt, rows_)); }

  // Of all members of a group, or of a cluster of it; adds it to the summary.
  GroupProfile make(std::size_t group, std::optional<std::size_t> cluster) {
    auto found = measure(group, cluster, rows_);
    auto& bar = bars_.emplace_back();
    for (const auto& row : found.rows) {
      const auto& times = row.exclusive;
      bar[row.function] = {times.minimum, times.maximum,
                           times.total / static_cast<double>(found.processes)};
      totals_[row.function] += times.total;
    }
    return sort(std::move(found));
  }

  std::optional<Quantity> quarters_of() const { return quarters_of_; }

  // Of what was made.
  ProcessSummary summarize() const {
    constexpr std::size_t most_functions = 10;
    ProcessSummary out;
    for (const auto& [function, time] : totals_)
      out.functions.push_back(function);
    std::stable_sort(out.functions.begin(), out.functions.end(),
                     [&](auto a, auto b) { return totals_.at(a) > totals_.at(b); });
    out.functions.resize(std::min(out.functions.size(), most_functions));
    for (const auto& bar : bars_) {
      auto& extents = out.bars.emplace_back();
      for (auto function : out.functions) {
        const auto found = bar.find(function);
        extents.push_back(found == bar.end() ? ProcessSummary::Extent{} : found->second);
      }
    }
    return out;
  }

 private:
  GroupProfile measure(std::size_t group, std::optional<std::size_t> cluster,
                       const Breakdown& rows) const {
    if (group == all_groups)
      return profile_all(plan_, calls_, rows, quarters_of_, ratio_);
    return profile_group(plan_, group, calls_, rows, quarters_of_, ratio_, cluster);
  }

  GroupProfile sort(GroupProfile found) const {
    switch (options_.view) {
      case View::functions:
      case View::function_groups:
        sort_rows(found, options_.sort, *functions_, options_.most_rows);
        break;
      case View::call_paths:
        sort_paths(found, calls_.paths, options_.sort, *functions_, options_.most_rows);
        break;
      case View::neighbours: {
        auto pairs = measure(found.group, found.cluster, pairs_);
        return list_neighbours(options_.function, std::move(found), std::move(pairs), options_.sort,
                               *functions_, options_.most_rows);
      }
    }

    return found;
  }

  const Plan& plan_;
  const CallPathProfiles& calls_;
  const ProfileOptions& options_;
  const std::vector<Function>* functions_;  // that rows are named by
  std::vector<Function> named_groups_;      // of functions, as if each was one
  const MetricRatio* ratio_;                // null: none
  Breakdown rows_, pairs_;
  std::optional<Quantity> quarters_of_;
  std::vector<std::map<FunctionIndex, ProcessSummary::Extent>> bars_;
  std::map<FunctionIndex, double> totals_;
};

// The representatives of each group that has several.
std::map<std::size_t, std::vector<std::size_t>> list_clusters(const Plan& plan) {
  std::map<std::size_t, std::vector<std::size_t>> clusters;
  if (plan.representatives)
    for (std::size_t r = 0; r < plan.representatives->size(); ++r)
      clusters[(*plan.representatives)[r].group].push_back(r);
  std::erase_if(clusters, [](const auto& of) { return of.second.size() == 1; });
  return clusters;
}

std::vector<RecordedCounter> list_counters(const MetricColumns& columns) {
  std::vector<RecordedCounter> counters;
  for (const auto& counter : columns.counters)
    counters.push_back({counter.name, counter.steps_per_unit, ""});
  return counters;
}

}  // namespace

Quantity choose_quantity(SortKey key) {
  return key == SortKey::inclusive ? Quantity::inclusive
         : key == SortKey::visits  ? Quantity::visits
                                   : Quantity::exclusive;
}

ProfileReport make_profile_report(const Plan& plan, const CallPathProfiles& calls,
                                  const ProfileOptions& options, FunctionGroups groups,
                                  std::optional<MetricRatio> ratio) {
  ProfileReport report{options.view, {}, {}};
  report.counters = list_counters(calls.columns);
  const auto unknown = find_unknown_counters(plan, calls);
  if (ratio)
    ratio->mark_unknown(calls.columns, unknown);
  ReportMaker maker(plan, calls, options, groups, ratio ? &*ratio : nullptr);
  for (std::size_t c = 0; c < unknown.size(); ++c)
    report.counters[c].is_unknown_in_calls = unknown[c];
  report.quarters_of = maker.quarters_of();

  const auto chosen = choose_groups(plan, options);
  if (!options.group && chosen.size() > 1)
    report.all = maker.make_all();
  const auto clusters = list_clusters(plan);
  for (auto group : chosen) {
    const auto own = clusters.find(group);
    if (own == clusters.end())
      report.groups.push_back(maker.make(group, std::nullopt));
    else
      for (auto cluster : own->second)
        report.groups.push_back(maker.make(group, cluster));
  }
  const bool has_functions =
      options.view == View::functions || options.view == View::function_groups;
  const bool are_all_known = std::all_of(plan.processes.begin(), plan.processes.end(),
                                         [](const auto& process) { return process.weight == 1; });
  if (has_functions && are_all_known)
    report.summary = maker.summarize();

  const bool is_empty = std::all_of(report.groups.begin(), report.groups.end(),
                                    [](const auto& group) { return group.rows.empty(); });
  if (options.view == View::neighbours && is_empty)
    throw function_is_never_called(plan, calls, options.function);
  if (options.view == View::call_paths)
    report.paths = calls.paths;
  if (options.view == View::function_groups)
    report.function_groups = std::move(groups.names);
  report.ratio = std::move(ratio);

  return report;
}

}  // namespace tracefold
