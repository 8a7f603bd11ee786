#include "model/plan.hpp"

#include "base/ranges.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/rank_list.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

Plan::Plan() = default;
Plan::Plan(const Plan&) = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(const Plan&) = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

std::string format_ids(const Plan& plan, const std::vector<std::size_t>& members) {
  std::vector<std::uint64_t> ids;
  ids.reserve(members.size());
  for (auto m : members)
    ids.push_back(plan.processes[m].id);
  std::sort(ids.begin(), ids.end());  // those of an original may be in another order
  return to_ranges(ids);
}

bool folds_iterations(const Plan& plan) {
  return plan.iterations &&
         std::any_of(
             plan.iterations->loops.begin(), plan.iterations->loops.end(),
             [](const auto& loop) { return loop.choice.kept.size() < loop.choice.kept_of.size(); });
}

double to_seconds(const Plan& plan, double ticks) {
  return ticks /
         (plan.trace.ticks_per_second ? static_cast<double>(plan.trace.ticks_per_second) : 1e9);
}
double to_seconds(const Plan& plan, std::uint64_t ticks) {
  return to_seconds(plan, static_cast<double>(ticks));
}

std::uint64_t count_processes(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::uint64_t count = 0;
  for (auto p : processes)
    count += plan.processes[p].weight;
  return count;
}

std::string write_rank_list(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::uint32_t> ranks;
  for (auto p : processes)
    if (plan.processes[p].rank)
      ranks.push_back(static_cast<std::uint32_t>(*plan.processes[p].rank));

  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());

  return rank_list_text(make_rank_list(ranks));
}

bool leave_out_anything(const std::vector<FilterSection>& filters) {
  return std::any_of(filters.begin(), filters.end(),
                     [](const FilterSection& filter) { return filter != FilterSection{}; });
}

const TimeWindow* find_window(const std::vector<FilterSection>& filters) {
  const auto found = std::find_if(filters.begin(), filters.end(), [](const FilterSection& filter) {
    return filter.time.has_value();
  });
  return found == filters.end() ? nullptr : &*found->time;
}

std::vector<FilterSection> keep_windows(const std::vector<FilterSection>& filters) {
  std::vector<FilterSection> windows(1);
  if (const auto* window = find_window(filters))
    windows[0].time = *window;
  return windows;
}

std::vector<std::size_t> list_processes(const Plan& plan) {
  std::vector<std::size_t> all(plan.processes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::size_t> kept_processes(const Plan& plan) {
  if (!plan.representatives)
    return list_processes(plan);

  std::vector<std::size_t> kept;
  for (const auto& r : *plan.representatives)
    kept.push_back(r.process);
  std::sort(kept.begin(), kept.end());

  return kept;
}

}  // namespace tracefold
