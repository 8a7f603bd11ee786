#include "pipeline/reduce/advise_rows.hpp"

#include "filters/groups/select_rows.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/measure_fold.hpp"

#include <algorithm>

namespace tracefold {

std::optional<BetterRows> find_better_rows(const Plan& plan, Team* team) {
  constexpr double much_better = 0.8;  // of the error as it is
  const auto most = plan.processes.size() / 4 * 3;
  RowSelector selector(plan, *plan.selection, list_fitted_times(plan, *plan.program, team));
  auto tried = plan;
  const auto measure = [&] {
    return measure_processes(*plan.program, list_representatives(tried), team).error;
  };

  auto least = measure().all * much_better;
  std::optional<BetterRows> best;
  auto rows = plan.representatives->size();
  do {
    rows = std::min(2 * rows, most);
    if (rows <= plan.representatives->size())
      break;
    tried.groups = plan.groups;
    selector.select(tried, rows);
    if (const auto error = measure(); error.all <= least) {
      best = {tried.representatives->size(), error};
      least = error.all;
    }
  } while (rows < most && !(best && grade_error(best->error.all) == ErrorGrade::good));
  return best;
}

}  // namespace tracefold
