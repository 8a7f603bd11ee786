#include "pipeline/reduce/better_selection.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/measure_fold.hpp"

namespace tracefold {

namespace {

constexpr double much_better = 0.8;  // of the error as it is

bool is_good(const BetterSelection& one) {
  return grade_error(one.error.all) == ErrorGrade::good;
}

bool is_better(const BetterSelection& one, const BetterSelection& than) {
  if (is_good(one) != is_good(than))
    return is_good(one);
  return is_good(one) ? one.kept < than.kept : one.error.all < than.error.all;
}

}  // namespace

std::optional<BetterSelection> find_better_selection(const Plan& plan, Team* team) {
  auto tried = plan;
  auto selection = *plan.selection;
  const auto all = plan.processes.size();
  const auto kept_now = plan.representatives->size();
  const auto error_now =
      measure_processes(*plan.program, list_representatives(plan), team).error.all;

  std::optional<BetterSelection> best;
  const auto keeps_too_many = [&](std::size_t kept) { return 4 * kept > 3 * all; };
  // Returns how many processes it keeps.
  const auto try_number = [&](std::size_t per_group) {
    selection.per_group = per_group;
    select(tried, selection);
    const auto kept = tried.representatives->size();
    if (kept <= kept_now || keeps_too_many(kept))
      return kept;

    const BetterSelection one{
        per_group, kept, measure_processes(*plan.program, list_representatives(tried), team).error};
    if (one.error.all <= much_better * error_now && (!best || is_better(one, *best)))
      best = one;
    return kept;
  };

  try_number(auto_per_group);
  for (std::size_t per_group = 2; per_group < all; per_group *= per_group < 32 ? 2 : 4) {
    const auto kept = try_number(per_group);
    // Larger numbers keep more.
    if (keeps_too_many(kept) || (best && is_good(*best) && kept >= best->kept))
      break;
  }
  return best;
}

}  // namespace tracefold
