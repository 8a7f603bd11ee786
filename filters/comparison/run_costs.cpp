#include "filters/comparison/run_costs.hpp"

#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tracefold {

RunSize measure_size(const ComparedRun& run, const CommonCalls& calls, std::size_t r) {
  RunSize out;
  std::set<std::uint64_t> ranks;
  for (const auto& process : run.plan.processes) {
    if (process.rank)
      ranks.insert(*process.rank);
    if (process.intent < run.plan.intents.size() &&
        run.plan.intents[process.intent].set.type == otf2_value::location_type_cpu)
      out.threads += static_cast<double>(process.weight);
  }
  out.ranks = ranks.empty() ? out.threads : static_cast<double>(ranks.size());
  for (std::size_t n = 0; n < calls.nodes.size(); ++n)
    if (!is_waiting_function(calls.names.classes[calls.nodes[n].of]))
      out.work += calls.totals[r][n][place_of(Measure::time)];
  if (run.played && run.played->iterations > 0)
    out.work /= static_cast<double>(run.played->iterations);
  return out;
}

RunCosts::RunCosts(const JoinedRuns& runs, std::optional<Scaling> asked) : runs_(runs) {
  const auto a = measure_size(runs.a, runs.calls, 0), b = measure_size(runs.b, runs.calls, 1);
  const auto more = a.ranks != b.ranks ? b.ranks / a.ranks : b.threads / a.threads;
  if (more > 0 && std::isfinite(more) && more != 1 && a.work > 0 && b.work > 0) {
    scaling_ = asked ? *asked : guess_scaling(more, b.work / a.work);
    factor_ = scaling_ == Scaling::strong ? 1 / more : 1;
  }
  if (!runs.a.played || !runs.b.played || !runs.a.run_time || !runs.b.run_time)
    return;

  a_ = &*runs.a.played;
  b_ = &*runs.b.played;
  costs_.resize(runs.calls.names.classes.size());
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& played = *runs.run(r).played;
    const auto by = r == 0 ? -factor_ : 1.0;
    const auto classes = list_path_classes(runs.calls, r);
    for (std::size_t path = 0; path < classes.size(); ++path)
      if (classes[path] < costs_.size()) {
        costs_[classes[path]].in_loops += by * played.path_in_loops[path];
        costs_[classes[path]].outside += by * played.path_outside[path];
      }
  }
}

double RunCosts::of_class(ClassIndex of, double change) const {
  if (!are_known())
    return 0;
  // The path may have been somewhere else before: then no more than all of the run changes.
  const auto cost = costs_[of].sum();
  const auto most = std::max(std::abs(of_run()), std::abs(change));
  return std::clamp(cost, -most, most);
}

double RunCosts::of_waits(bool for_accelerators) const {
  double sum = 0;
  for (ClassIndex c = 0; c < costs_.size(); ++c) {
    const auto& one = runs_.calls.names.classes[c];
    if (for_accelerators ? waits_for_accelerator(one.first) : is_openmp_time(one.time))
      sum += costs_[c].sum();
  }
  return sum;
}

double RunCosts::of_iterations() const {
  if (!are_known() || a_->iterations == 0 || b_->iterations == 0 || scaling_)
    return 0;
  const auto more = static_cast<double>(b_->iterations) - static_cast<double>(a_->iterations);
  return more * a_->in_loops / static_cast<double>(a_->iterations);
}

std::string RunCosts::describe_phase(ClassIndex of) const {
  if (!are_known())
    return {};
  const auto& cost = costs_[of];
  if (std::abs(cost.outside) < 2 * std::abs(cost.in_loops) || a_->in_loops <= 0 ||
      b_->in_loops <= 0)
    return {};
  const auto before = b_->before - factor_ * a_->before;
  const auto behind = b_->behind - factor_ * a_->behind;
  return std::abs(before) >= std::abs(behind) ? " before the main loop" : " behind the main loop";
}

bool RunCosts::is_bound(ClassIndex of) const {
  const auto& one = runs_.calls.names.classes[of];
  return find_mpi_bound(one.first.name, one.time) != MpiBound::none;
}

}  // namespace tracefold
