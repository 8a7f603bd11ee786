#include "pipeline/reduce/better_selection.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "pipeline/program/measure_fold.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace tracefold {

namespace {

constexpr double much_better = 0.8;  // of the error as it is

bool is_better(const BetterSelection& one, const BetterSelection& than) {
  const auto is_good = [](const BetterSelection& of) {
    return grade_error(of.error.all) == ErrorGrade::good;
  };
  if (is_good(one) != is_good(than))
    return is_good(one);
  return is_good(one) ? one.kept < than.kept : one.error.all < than.error.all;
}

}  // namespace

std::optional<BetterSelection> find_better_selection(const Plan& plan) {
  auto tried = plan;
  auto selection = *plan.selection;
  const auto kept_now = plan.representatives->size();
  const auto error_now = measure_processes(*plan.program, list_stand_ins(plan)).error.all;

  std::optional<BetterSelection> best;
  for (const std::size_t per_group : {auto_per_group, std::size_t{2}, std::size_t{4},
                                      std::size_t{8}, std::size_t{16}, std::size_t{32}}) {
    selection.per_group = per_group;
    select(tried, selection);
    const auto kept = tried.representatives->size();
    if (kept <= kept_now)
      continue;
    if (4 * kept > 3 * plan.processes.size()) {
      if (per_group == auto_per_group)
        continue;
      break;  // larger numbers keep more
    }
    const BetterSelection one{per_group, kept,
                              measure_processes(*plan.program, list_stand_ins(tried)).error};
    if (one.error.all <= much_better * error_now && (!best || is_better(one, *best)))
      best = one;
  }
  return best;
}

}  // namespace tracefold
