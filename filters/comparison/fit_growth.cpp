#include "filters/comparison/fit_growth.hpp"

#include "base/averages.hpp"
#include "filters/comparison/run_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::array powers{0.0, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1.0, 1.5, 2.0};
constexpr double least_share = 0.01;

// Least squares for one term. The error is the sum of squares of what each value differs from the
// fit of all others (the hat matrix gives it without fitting again).
Growth fit_term(const std::vector<double>& sizes, const std::vector<double>& values, double power,
                int log_power) {
  Growth out{0, 0, power, log_power};
  const Growth term{0, 1, power, log_power};
  std::vector<double> x;
  for (auto p : sizes)
    x.push_back(out.is_constant() ? 0 : term.at(p));
  const auto count = static_cast<double>(x.size());
  const auto middle = compute_mean(x), mean = compute_mean(values);
  double square = 0, product = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    square += (x[k] - middle) * (x[k] - middle);
    product += (x[k] - middle) * (values[k] - mean);
  }
  if (!out.is_constant()) {
    if (square <= 0) {
      out.error = std::numeric_limits<double>::infinity();
      return out;
    }
    out.slope = product / square;
  }
  out.constant = mean - out.slope * middle;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto apart = x[k] - middle;
    const auto leverage = 1 / count + (square > 0 ? apart * apart / square : 0);
    const auto left_out =
        (values[k] - out.constant - out.slope * x[k]) / std::max(1 - leverage, 1e-9);
    out.error += left_out * left_out;
  }
  return out;
}

// By call path the seconds of a process that makes the call.
std::vector<double> list_times(const ComparedRun& run, const CommonCalls& calls, std::size_t r) {
  std::vector<double> out;
  for (const auto& of_node :
       collect_amounts(run, calls.node_of[r], calls.nodes.size(), calls.is_inlined[r])) {
    double sum = 0, callers = 0;
    for (const auto& one : of_node) {
      const auto weight = static_cast<double>(run.plan.processes[one.process].weight);
      sum += weight * one.amounts[place_of(Measure::time)];
      callers += one.amounts[place_of(Measure::visits)] > 0 ? weight : 0;
    }
    out.push_back(sum / std::max(callers, 1.0));
  }
  return out;
}

GrowingCall make_call(const GrowthTable& table, std::string path, std::vector<double> times) {
  const bool is_strong = table.scaling == Scaling::strong;
  auto fitted = times;
  for (std::size_t k = 0; k < fitted.size() && is_strong; ++k)
    fitted[k] *= table.ranks[k];
  GrowingCall out{std::move(path), std::move(times), fit_growth(table.ranks, fitted)};
  const auto most = *std::max_element(table.ranks.begin(), table.ranks.end());
  out.more = (out.growth.at(2 * most) - out.growth.at(most)) / (is_strong ? 2 * most : 1);
  return out;
}

}  // namespace

Growth fit_growth(const std::vector<double>& sizes, const std::vector<double>& values) {
  Growth best = fit_term(sizes, values, 0, 0);
  const auto mean = compute_mean(values);
  // Rounding is no growth.
  const auto least = 1e-18 * mean * mean * static_cast<double>(values.size());
  for (auto power : powers)
    for (int log_power = 0; log_power <= 2; ++log_power)
      if (auto one = fit_term(sizes, values, power, log_power);
          best.error > least && one.error < best.error)
        best = one;
  best.error = mean > 0 ? std::sqrt(best.error / static_cast<double>(values.size())) / mean : 0;
  return best;
}

std::optional<Scaling> find_scaling(const std::vector<const ComparedRun*>& runs,
                                    const CommonCalls& calls) {
  std::vector<RunSize> sizes;
  for (std::size_t r = 0; r < runs.size(); ++r)
    sizes.push_back(measure_size(*runs[r], calls, r));
  const auto [first, last] = std::minmax_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.ranks < b.ranks; });
  if (first->ranks == last->ranks || first->work <= 0 || last->work <= 0)
    return std::nullopt;
  return guess_scaling(last->ranks / first->ranks, last->work / first->work);
}

std::optional<GrowthTable> find_growth(const std::vector<const ComparedRun*>& runs,
                                       const CommonCalls& calls, Scaling scaling) {
  GrowthTable out{scaling, {}, {}};
  std::vector<double> run_times;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    out.ranks.push_back(measure_size(*runs[r], calls, r).ranks);
    run_times.push_back(runs[r]->run_time.value_or(0));
  }
  if (std::set<double>(out.ranks.begin(), out.ranks.end()).size() < least_fitted_runs)
    return std::nullopt;

  std::vector<std::vector<double>> times;
  for (std::size_t r = 0; r < runs.size(); ++r)
    times.push_back(list_times(*runs[r], calls, r));

  for (std::size_t n = 0; n < calls.nodes.size(); ++n) {
    std::vector<double> own;
    bool matters = false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (calls.totals[r][n][place_of(Measure::visits)] <= 0)
        break;
      own.push_back(times[r][n]);
      matters |= own.back() >= least_share * run_times[r];
    }
    if (matters && own.size() == runs.size())
      out.calls.push_back(make_call(out, calls.name_path(n), std::move(own)));
  }
  std::stable_sort(out.calls.begin(), out.calls.end(),
                   [](const auto& x, const auto& y) { return x.more > y.more; });
  out.calls.insert(out.calls.begin(), make_call(out, "the run", std::move(run_times)));
  return out;
}

}  // namespace tracefold
