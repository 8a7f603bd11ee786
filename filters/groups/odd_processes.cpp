#include "filters/groups/odd_processes.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t fewest_in_group = 4, most_odd = 8;
constexpr double odd_deviations = 5 * 1.4826;  // of a normal distribution
constexpr double least_share_of_run = 0.01;    // of the run

double find_median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// How far a process is from the median of its group, in all of its computation or in a function.
struct OddDistance {
  double ticks = 0, own = 0, median = 0;
  std::optional<FunctionIndex> function = {};  // none: in all
};

class OddSearch {
 public:
  explicit OddSearch(const Plan& plan) : plan_(plan), computes_(list_computing(plan)) {
    if (plan.trace.run)
      run_ = static_cast<double>(plan.trace.run->end - plan.trace.run->begin);
  }

  // The farthest distance of each odd process.
  std::map<std::size_t, OddDistance> find() {
    for (const auto& group : *plan_.groups)
      look_at(group);
    return std::move(found_);
  }

 private:
  void look_at(const Group& group) {
    std::vector<std::size_t> members;
    std::copy_if(group.members.begin(), group.members.end(), std::back_inserter(members),
                 [&](auto m) { return !plan_.processes[m].ends_early; });
    if (members.size() < fewest_in_group)
      return;

    std::vector<double> all(members.size());
    std::map<FunctionIndex, std::vector<double>> by_function;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto& process = plan_.processes[members[k]];
      const auto& functions = plan_.intents[process.intent].functions;
      all[k] = static_cast<double>(process.rest);
      for (std::size_t f = 0; f < functions.size(); ++f) {
        if (!computes_[functions[f]])
          continue;
        const auto ticks = static_cast<double>(process.exclusive[f]);
        all[k] += ticks;
        auto& values = by_function[functions[f]];
        values.resize(members.size());
        values[k] = ticks;
      }
    }
    compare(members, all, std::nullopt);
    for (const auto& [function, values] : by_function)
      compare(members, values, function);
  }

  void compare(const std::vector<std::size_t>& members, const std::vector<double>& values,
               std::optional<FunctionIndex> function) {
    const auto median = find_median_of(values);
    std::vector<double> distances;
    for (auto value : values)
      distances.push_back(std::abs(value - median));
    const auto least =
        std::max(odd_deviations * find_median_of(distances), least_share_of_run * run_);
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (distances[k] <= least)
        continue;
      // A function that explains nearly all of it says more than the sum.
      constexpr double nearly = 0.8;
      auto& known = found_[members[k]];
      if (distances[k] > known.ticks ||
          (function && !known.function && distances[k] > nearly * known.ticks))
        known = {distances[k], values[k], median, function};
    }
  }

  const Plan& plan_;
  std::vector<bool> computes_;
  double run_ = 0;
  std::map<std::size_t, OddDistance> found_;
};

std::string explain_odd(const Plan& plan, const OddDistance& distance) {
  const auto where = distance.function
                         ? " in " + make_printable(plan.functions[*distance.function].name)
                         : std::string();
  if (distance.median == 0)
    return fmt::format("{}alone computes{}", odd_sign, where);
  const auto times = distance.own / distance.median;
  return fmt::format("{}{} times the median{}", odd_sign,
                     times < 10 ? fmt::format("{:.2g}", times)
                                : group_digits(static_cast<std::uint64_t>(std::round(times))),
                     where.empty() ? " of computation" : where);
}

}  // namespace

std::vector<bool> list_computing(const Plan& plan) {
  const auto known_by = find_mpi_known_by(plan.functions);
  std::vector<bool> computes;
  for (const auto& f : plan.functions)
    computes.push_back(time_metric(f.paradigm, f.role, f.name, known_by) ==
                           Metric::execution_time &&
                       !waits_for_accelerator(f));
  return computes;
}

std::vector<OddProcess> find_odd_processes(const Plan& plan) {
  const bool leaves_out = std::any_of(
      plan.filters.begin(), plan.filters.end(),
      [](const FilterSection& filter) { return !filter.drop.empty() || !filter.keep.empty(); });
  if (leaves_out)
    return {};
  const auto found = OddSearch(plan).find();
  std::vector<std::pair<std::size_t, OddDistance>> farthest(found.begin(), found.end());
  std::stable_sort(farthest.begin(), farthest.end(),
                   [](const auto& a, const auto& b) { return a.second.ticks > b.second.ticks; });
  farthest.resize(std::min(farthest.size(), most_odd));
  std::vector<OddProcess> out;
  for (const auto& [process, distance] : farthest)
    out.push_back({process, explain_odd(plan, distance)});
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.process < b.process; });
  return out;
}

}  // namespace tracefold
