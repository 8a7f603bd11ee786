#include "filters/groups/select_rows.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using Members = std::vector<std::size_t>;

// Which groups of the plan become one, since a row stands for processes of all of them.
std::vector<std::vector<std::size_t>> find_merged(std::size_t groups,
                                                  const std::vector<FittedRow>& rows,
                                                  const std::vector<std::size_t>& plan_groups) {
  std::vector<std::size_t> first(groups);
  std::iota(first.begin(), first.end(), std::size_t{0});
  for (const auto& row : rows)
    for (auto g : row.groups)
      first[plan_groups[g]] = plan_groups[row.groups.front()];
  std::map<std::size_t, std::vector<std::size_t>> merged;
  for (std::size_t g = 0; g < groups; ++g)
    merged[first[g]].push_back(g);

  std::vector<std::vector<std::size_t>> out;
  for (auto& [at, some] : merged)
    out.push_back(std::move(some));
  return out;
}

bool has_rank(const Plan& plan, const Members& members) {
  return std::any_of(members.begin(), members.end(),
                     [&](auto m) { return plan.processes[m].is_mpi_endpoint; });
}

// Takes rows of threads and streams from processes of which a rank is kept.
void follow_ranks(const Plan& plan, const RowFitter& fitter, const Members& always,
                  std::vector<FittedRow>& rows) {
  std::set<std::uint64_t> kept;
  for (auto p : always)
    kept.insert(plan.processes[p].location_group);
  for (const auto& row : rows)
    if (has_rank(plan, row.members))
      kept.insert(plan.processes[row.process].location_group);

  for (auto& row : rows) {
    if (has_rank(plan, row.members))
      continue;
    Members candidates;
    std::copy_if(
        row.members.begin(), row.members.end(), std::back_inserter(candidates), [&](auto m) {
          const auto& process = plan.processes[m];
          return !process.ends_early && (kept.contains(process.location_group) ||
                                         (process.creator && kept.contains(*process.creator)));
        });
    if (!candidates.empty())
      row.process = fitter.choose(row.members, candidates);
  }
}

std::string explain_row(std::size_t members, std::size_t row, std::size_t rows, bool is_whole) {
  const std::string words =
      members == 1 ? is_whole ? "only member" : "only other member" : "medoid of exclusive times";
  return rows == 1 ? words : fmt::format("{} of part {} of {}", words, row + 1, rows);
}

}  // namespace

// The groups without the processes that are kept always.
RowSelector::FittedGroups RowSelector::list_fitted(const Plan& plan, const Members& always) {
  const auto compared = compare_processes(plan, plan.comparison);
  FittedGroups out;
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    RowGroup group;
    const auto& members = (*plan.groups)[g].members;
    std::set_difference(members.begin(), members.end(), always.begin(), always.end(),
                        std::back_inserter(group.members));
    if (group.members.empty())
      continue;
    group.kind = compared.sets[compared.set_of[group.members.front()]].kind;
    out.groups.push_back(std::move(group));
    out.plan_groups.push_back(g);
  }
  return out;
}

RowSelector::RowSelector(const Plan& plan, Selection selection, FittedTimes times)
    : selection_(std::move(selection)),
      always_(find_always(plan, selection_.always)),
      fitted_(list_fitted(plan, always_)),
      fitter_(std::move(times), fitted_.groups) {}

RowFitter::Lost RowSelector::select(Plan& plan, std::size_t rows) {
  auto fitted = fitter_.fit(rows - std::min(rows, always_.size()));
  follow_ranks(plan, fitter_, always_, fitted);
  merge_groups(plan, find_merged(plan.groups->size(), fitted, fitted_.plan_groups));
  std::map<std::size_t, std::uint32_t> group_of;  // by process
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto m : (*plan.groups)[g].members)
      group_of[m] = static_cast<std::uint32_t>(g);

  auto& chosen = plan.representatives.emplace();
  std::set<std::uint32_t> with_always;  // groups
  for (auto p : always_) {
    chosen.push_back({group_of[p], p, {p}, "kept on request"});
    with_always.insert(group_of[p]);
  }
  std::map<std::uint32_t, std::size_t> rows_of, seen;  // by group
  for (const auto& row : fitted)
    ++rows_of[group_of[row.process]];
  auto processes = always_;
  for (auto& row : fitted) {
    const auto g = group_of[row.process];
    auto why = explain_row(row.members.size(), seen[g]++, rows_of[g], !with_always.contains(g));
    processes.push_back(row.process);
    chosen.push_back({g, row.process, std::move(row.members), std::move(why)});
  }
  std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
    return std::pair(a.group, a.process) < std::pair(b.group, b.process);
  });
  plan.selection = selection_;
  plan.selection->rows = rows;
  return fitter_.find_lost(processes);
}

}  // namespace tracefold
