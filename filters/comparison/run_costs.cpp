#include "filters/comparison/run_costs.hpp"

#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tracefold {

namespace {

bool tells_network(const PlayedRun& run) {
  return run.network == 0 || !run.on_network.outside.empty();
}

}  // namespace

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
      out.all_work += calls.totals[r][n][place_of(Measure::time)];
  out.work = out.all_work;
  if (run.played && run.played->iterations > 0)
    out.work /= static_cast<double>(run.played->iterations);
  return out;
}

RunCosts::RunCosts(const JoinedRuns& runs, std::optional<Scaling> asked) : runs_(runs) {
  const auto a = measure_size(runs.a, runs.calls, 0), b = measure_size(runs.b, runs.calls, 1);
  const auto more = a.ranks != b.ranks ? b.ranks / a.ranks : b.threads / a.threads;
  if (more > 0 && std::isfinite(more) && more != 1 && a.work > 0 && b.work > 0) {
    // As much work in all is strong scaling, however many iterations it takes.
    const bool is_as_much = std::abs(b.all_work / a.all_work - 1) < 0.1;
    scaling_ = asked ? *asked : is_as_much ? Scaling::strong : guess_scaling(more, b.work / a.work);
    factor_ = scaling_ == Scaling::strong ? 1 / more : 1;
  }
  if (!runs.a.played || !runs.b.played || !runs.a.run_time || !runs.b.run_time)
    return;

  a_ = &*runs.a.played;
  b_ = &*runs.b.played;
  if (a_->iterations > 0 && b_->iterations > 0 && !scaling_)
    iterations_ = static_cast<double>(b_->iterations) / static_cast<double>(a_->iterations);
  costs_.resize(runs.calls.names.classes.size());
  knows_network_ = tells_network(*a_) && tells_network(*b_);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& played = *runs.run(r).played;
    add(r, played.on_path);
    if (knows_network_)
      add(r, played.on_network);
  }
}

void RunCosts::add(std::size_t r, const PlayedRun::ByPath& seconds) {
  const auto outside = r == 0 ? -factor_ : 1.0;
  const auto in_loops = r == 0 ? outside * iterations_ : outside;
  const auto classes = list_path_classes(runs_.calls, r);
  for (std::size_t path = 0; path < std::min(classes.size(), seconds.outside.size()); ++path)
    if (classes[path] < costs_.size()) {
      costs_[classes[path]].in_loops += in_loops * seconds.in_loops[path];
      costs_[classes[path]].outside += outside * seconds.outside[path];
      if (r == 0)
        costs_[classes[path]].in_a += seconds.in_loops[path] + seconds.outside[path];
    }
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

std::string RunCosts::describe_phase(const std::vector<ClassIndex>& of) const {
  if (!are_known() || a_->in_loops <= 0 || b_->in_loops <= 0)
    return {};
  Cost cost;
  for (auto c : of) {
    cost.in_loops += costs_[c].in_loops;
    cost.outside += costs_[c].outside;
  }
  if (cost.outside == 0 || std::abs(cost.outside) < 2 * std::abs(cost.in_loops))
    return {};
  const auto before = b_->before - factor_ * a_->before;
  const auto behind = b_->behind - factor_ * a_->behind;
  return std::abs(before) >= std::abs(behind) ? " before the main loop" : " behind the main loop";
}

bool RunCosts::is_of_network(ClassIndex of) const {
  const auto& one = runs_.calls.names.classes[of];
  return is_mpi_time(one.time) && is_waiting_function(one) && !is_bound(of);
}

bool RunCosts::communicates(ClassIndex of) const {
  return is_of_network(of) && runs_.calls.names.classes[of].time != Metric::mpi_management_time;
}

bool RunCosts::is_bound(ClassIndex of) const {
  const auto& one = runs_.calls.names.classes[of];
  return find_mpi_bound(one.first.name, one.time) != MpiBound::none;
}

}  // namespace tracefold
