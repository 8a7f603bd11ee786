#include "pipeline/reduce/advise_rows.hpp"

#include "base/team.hpp"
#include "filters/groups/select_rows.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/measure_fold.hpp"
#include "pipeline/rewrite/estimate.hpp"

#include <algorithm>
#include <exception>
#include <map>

namespace tracefold {

namespace {

bool can_advise(const Plan& plan) {
  constexpr std::size_t most_measured = 4096;  // measuring takes long for more
  return plan.groups && plan.selection && plan.selection->rows == 0 && plan.representatives &&
         !plan.like && !plan.lacks_profiles && plan.program &&
         plan.processes.size() <= most_measured;
}

template <class Find>
auto find_or_nothing(Team* team, Find&& find) -> decltype(find()) {
  try {
    return find();
  } catch (const std::exception&) {
    if (team)
      throw;
    return std::nullopt;
  }
}

std::optional<BetterRows> try_more_rows(const Plan& plan, Team* team) {
  if (!can_advise(plan))
    return std::nullopt;
  constexpr double much_better = 0.8;  // of the error as it is
  const auto most = plan.processes.size() / 4 * 3;
  RowSelector selector(plan, *plan.selection, list_fitted_times(plan, *plan.program, team));
  auto tried = plan;
  const auto measure = [&] {
    return measure_rows(plan, measure_processes(*plan.program, list_representatives(tried), team));
  };

  const auto now = measure();
  auto least = now * much_better;
  std::optional<BetterRows> best;
  auto rows = plan.representatives->size();
  do {
    rows = std::min(2 * rows, most);
    if (rows <= plan.representatives->size())
      break;
    tried.groups = plan.groups;
    selector.select(tried, rows);
    if (const auto error = measure(); error <= least) {
      best = {tried.representatives->size(), error};
      least = error;
    }
  } while (rows < most && !(best && grade_error(best->error) < grade_error(now)));
  return best;
}

std::optional<FewerRows> try_fewer_rows(const Archive& archive, const Plan& plan,
                                        std::uint64_t bytes, Team* team) {
  if (!can_advise(plan))
    return std::nullopt;
  constexpr std::size_t most_rows = 8;
  RowSelector selector(plan, *plan.selection, list_fitted_times(plan, *plan.program, team));
  const auto kept = plan.representatives->size();
  const auto rows = std::max(std::min(kept / 2, most_rows), selector.least());
  if (rows >= kept)
    return std::nullopt;

  auto tried = plan;
  const auto lost = selector.select(tried, rows);
  const auto staying = compute_once<std::map<std::uint64_t, std::uint64_t>>(
      team, [&] { return estimate_event_bytes(archive, plan); });
  const auto now = list_representatives(plan);
  std::uint64_t of_events = 0, of_fewer = 0;
  for (const auto& [location, of_location] : staying)
    of_events += of_location;
  for (const auto& row : *tried.representatives) {
    // A process that is not kept yet would take as much as the row that it has now.
    const auto own = staying.find(plan.processes[row.process].id);
    of_fewer +=
        own != staying.end() ? own->second : staying.at(plan.processes[now[row.process]].id);
  }
  return FewerRows{rows, bytes - std::min(bytes, of_events) + of_fewer, lost.calls};
}

}  // namespace

std::optional<BetterRows> find_better_rows(const Plan& plan, Team* team) {
  return find_or_nothing(team, [&] { return try_more_rows(plan, team); });
}

std::optional<FewerRows> find_fewer_rows(const Archive& archive, const Plan& plan,
                                         std::uint64_t bytes, Team* team) {
  return find_or_nothing(team, [&] { return try_fewer_rows(archive, plan, bytes, team); });
}

}  // namespace tracefold
