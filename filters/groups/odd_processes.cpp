#include "filters/groups/odd_processes.hpp"

#include "base/averages.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
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

// Some processes of a group, and how long each computes in all functions, and in each.
using Members = std::vector<std::size_t>;
struct Measure {
  std::optional<FunctionIndex> function;  // none: in all
  std::vector<double> values;             // ticks, by member
};

double add_distances(const std::vector<double>& values) {
  const auto median = find_median_of(values);
  double sum = 0;
  for (auto value : values)
    sum += std::abs(value - median);
  return sum;
}

// Where ascending values are parted in two of at least two each, so that squares of distances from
// their means add up to least.
std::size_t find_parting(const std::vector<double>& ascending) {
  // That is where n1 · n2 · (difference of means)² is largest.
  const auto all = std::accumulate(ascending.begin(), ascending.end(), 0.0);
  const auto count = static_cast<double>(ascending.size());
  double below = ascending.front(), largest = -1;
  std::size_t best = 2;
  for (std::size_t k = 2; k + 2 <= ascending.size(); ++k) {
    below += ascending[k - 1];
    const auto lower = static_cast<double>(k), upper = count - lower;
    const auto distance = (all - below) / upper - below / lower;
    if (const auto parted = lower * upper * distance * distance; parted > largest) {
      largest = parted;
      best = k;
    }
  }
  return best;
}

// How much of the sum of |c - median| may be left of so many values: less is left of evenly spread
// ones in fewer than 1 of 100 cases.
double find_largest_rest(std::size_t values) {
  if (values < 6)
    return 0.05;
  if (values < 8)
    return 0.1;
  if (values < 12)
    return 0.15;
  return values < 16 ? 0.2 : 0.25;
}

// Two classes by one measure.
struct Classes {
  double gain = 0;    // by how many ticks they make the sum of |c - median| smaller; 0: none
  double border = 0;  // the largest value of the lower class
  double lower = 0, upper = 0;  // means
  const Measure* measure = nullptr;
};

Classes part(const Measure& measure, double least_difference) {
  auto ascending = measure.values;
  std::sort(ascending.begin(), ascending.end());
  const auto middle = static_cast<std::ptrdiff_t>(find_parting(ascending));
  const std::vector<double> lower(ascending.begin(), ascending.begin() + middle);
  const std::vector<double> upper(ascending.begin() + middle, ascending.end());
  const auto all = add_distances(ascending);
  const auto rest = add_distances(lower) + add_distances(upper);
  Classes out{all - rest, lower.back(), compute_mean(lower), compute_mean(upper), &measure};
  if (rest > find_largest_rest(ascending.size()) * all || out.upper - out.lower <= least_difference)
    out.gain = 0;
  return out;
}

// How far a process is from the median of its class, in all of its computation or in a function.
struct OddDistance {
  double ticks = 0, own = 0, median = 0;
  std::optional<FunctionIndex> function = {};  // none: in all
};

std::string show_times(double own, double other) {
  const auto times = own / other;
  return times < 10 ? fmt::format("{:.2g}", times)
                    : group_digits(static_cast<std::uint64_t>(std::round(times)));
}

// A function that explains nearly all of what all functions do says more than their sum.
constexpr double nearly = 0.8;

// All functions together are looked at first.
bool says_more(const Classes& found, const Classes& best) {
  const bool is_first_function = best.measure && !best.measure->function && found.measure->function;
  return found.gain > (is_first_function ? nearly * best.gain : best.gain);
}

class OddSearch {
 public:
  explicit OddSearch(const Plan& plan) : plan_(plan), computes_(list_computing(plan)) {
    if (plan.trace.run)
      least_ =
          least_share_of_run * static_cast<double>(plan.trace.run->end - plan.trace.run->begin);
  }

  OddProcesses find() {
    for (std::size_t g = 0; g < plan_.groups->size(); ++g)
      look_at(g);
    return {list_farthest(), std::move(classes_)};
  }

 private:
  void look_at(std::size_t g) {
    const auto& group = (*plan_.groups)[g];
    Members members;
    std::copy_if(group.members.begin(), group.members.end(), std::back_inserter(members),
                 [&](auto m) { return !plan_.processes[m].ends_early; });
    if (members.size() < fewest_in_group)
      return;

    const auto measures = measure(members);
    Classes best;
    for (const auto& one : measures)
      if (const auto found = part(one, least_); says_more(found, best))
        best = found;
    if (best.gain == 0) {
      compare(members, measures);
      return;
    }

    Members lower, upper;
    for (std::size_t k = 0; k < members.size(); ++k)
      (best.measure->values[k] <= best.border ? lower : upper).push_back(members[k]);
    const bool is_lower = lower.size() < upper.size();
    classes_.push_back({g, is_lower ? lower : upper, explain(best, lower.size(), upper.size())});
    for (const auto& one : {lower, upper})
      if (one.size() >= fewest_in_group)
        compare(one, measure(one));
  }

  std::vector<Measure> measure(const Members& members) const {
    std::vector<Measure> out{{std::nullopt, std::vector<double>(members.size())}};
    std::map<FunctionIndex, std::size_t> places;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto& process = plan_.processes[members[k]];
      const auto& functions = plan_.intents[process.intent].functions;
      out[0].values[k] = static_cast<double>(process.rest);
      for (std::size_t f = 0; f < functions.size(); ++f) {
        if (!computes_[functions[f]])
          continue;
        const auto ticks = static_cast<double>(process.exclusive[f]);
        out[0].values[k] += ticks;
        const auto [place, is_new] = places.try_emplace(functions[f], out.size());
        if (is_new)
          out.push_back({functions[f], std::vector<double>(members.size())});
        out[place->second].values[k] = ticks;
      }
    }
    return out;
  }

  void compare(const Members& members, const std::vector<Measure>& measures) {
    for (const auto& [function, values] : measures) {
      const auto median = find_median_of(values);
      std::vector<double> distances;
      for (auto value : values)
        distances.push_back(std::abs(value - median));
      const auto least = std::max(odd_deviations * find_median_of(distances), least_);
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (distances[k] <= least)
          continue;
        auto& known = found_[members[k]];
        if (distances[k] > known.ticks ||
            (function && !known.function && distances[k] > nearly * known.ticks))
          known = {distances[k], values[k], median, function};
      }
    }
  }

  std::string explain(const Classes& classes, std::size_t in_lower, std::size_t in_upper) const {
    const bool is_lower = in_lower < in_upper;
    const auto others = is_lower ? classes.upper : classes.lower;
    const auto where = classes.measure->function ? " in " + name(*classes.measure->function)
                                                 : std::string(" in computation");
    const auto size = std::min(in_lower, in_upper);
    if (others == 0)
      return fmt::format("{}one of {} that alone compute{}", odd_sign, size, where);
    return fmt::format("{}one of {} that take {} times the others{}", odd_sign, size,
                       show_times(is_lower ? classes.lower : classes.upper, others), where);
  }

  std::string explain(const OddDistance& distance) const {
    const auto where = distance.function ? " in " + name(*distance.function) : std::string();
    if (distance.median == 0)
      return fmt::format("{}alone computes{}", odd_sign, where);
    return fmt::format("{}{} times the median{}", odd_sign,
                       show_times(distance.own, distance.median),
                       where.empty() ? " of computation" : where);
  }

  std::string name(FunctionIndex function) const {
    return make_printable(plan_.functions[function].name);
  }

  std::vector<OddProcess> list_farthest() const {
    std::vector<std::pair<std::size_t, OddDistance>> farthest(found_.begin(), found_.end());
    std::stable_sort(farthest.begin(), farthest.end(),
                     [](const auto& a, const auto& b) { return a.second.ticks > b.second.ticks; });
    farthest.resize(std::min(farthest.size(), most_odd));
    std::vector<OddProcess> out;
    for (const auto& [process, distance] : farthest)
      out.push_back({process, explain(distance)});
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.process < b.process; });
    return out;
  }

  const Plan& plan_;
  std::vector<bool> computes_;
  double least_ = 0;                          // ticks; a smaller difference says nothing
  std::map<std::size_t, OddDistance> found_;  // the farthest distance of each odd process
  std::vector<OddClass> classes_;
};

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

OddProcesses find_odd_processes(const Plan& plan) {
  const bool leaves_out = std::any_of(
      plan.filters.begin(), plan.filters.end(),
      [](const FilterSection& filter) { return !filter.drop.empty() || !filter.keep.empty(); });
  return leaves_out ? OddProcesses{} : OddSearch(plan).find();
}

}  // namespace tracefold
