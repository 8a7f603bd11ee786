#include "pipeline/iterations/stored_folds.hpp"

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"

#include <set>
#include <utility>

namespace tracefold {

namespace {

// The folds that a plan makes of a trace with these reductions before.
KeptFolds make_folds(const Plan& plan, const EarlierReductions& earlier) {
  KeptFolds out;
  if (!plan.iterations)
    return out;
  for (const auto& loop : plan.iterations->loops)
    out.loops.push_back({loop.choice.kept, loop.choice.kept_of});
  for (const auto& of : plan.iterations->processes) {
    auto& series = out.series[find_first_original(earlier, plan.processes[of.process].id)];
    for (std::size_t l = 0; l < out.loops.size(); ++l)
      series.push_back(
          make_kept_series(of.loops.loops[l], of.loops.taken_from.has_value(), out.loops[l]));
  }

  return out;
}

}  // namespace

std::optional<KeptFolds> read_kept_folds(const Archive& archive) {
  if (find_earlier_reductions(archive.definitions()).empty() || is_whole(archive.facts()))
    return std::nullopt;

  const auto beside = read_plan_beside(archive);
  if (beside.is_missing() || !beside.is_named)
    return std::nullopt;
  if (!beside.is_that)
    throw Error(ErrorKind::input, "is not the plan that the trace beside it was written with")
        .in(beside.file.string())
        .hint("reduce the original again; without this file, what is folded is not known");
  if (beside.error)
    throw *beside.error;

  auto folds = beside.plan->folds ? *beside.plan->folds : make_folds(*beside.plan, {});
  return folds.loops.empty() ? std::nullopt : std::optional(std::move(folds));
}

void carry_folds(const Archive& archive, Plan& plan) {
  plan.folds.reset();
  const auto earlier = find_earlier_reductions(archive.definitions());
  if (earlier.empty())
    return;

  auto folds = read_kept_folds(archive);
  if (folds_iterations(plan))
    folds = folds || is_collapsed(archive.definitions()) ? KeptFolds() : make_folds(plan, earlier);
  if (!folds)
    return;

  std::set<std::uint64_t> kept;
  if (plan.processes.empty())
    for (auto location : list_process_locations(archive.definitions()))
      kept.insert(find_first_original(earlier, location));
  else
    for (auto p : kept_processes(plan))
      kept.insert(find_first_original(earlier, plan.processes[p].id));
  std::erase_if(folds->series, [&](const auto& one) { return !kept.contains(one.first); });
  plan.folds = std::make_shared<const KeptFolds>(std::move(*folds));
}

}  // namespace tracefold
