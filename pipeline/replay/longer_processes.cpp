#include "pipeline/replay/longer_processes.hpp"

#include "base/averages.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tracefold {

namespace {

// Whether they are far beyond the spread of all.
bool are_outside(const std::vector<std::size_t>& who, const std::vector<double>& times) {
  const auto median = find_upper_median(times);
  std::vector<double> away;
  away.reserve(times.size());
  for (const auto time : times)
    away.push_back(std::abs(time - median));
  constexpr double far = 6 * 1.4826;
  const auto spread = find_upper_median(away);
  return std::all_of(who.begin(), who.end(),
                     [&](auto k) { return times[k] > median + far * spread; });
}

using TimesByIteration = std::vector<std::vector<double>>;  // of processes

// Whether each of them is above others by more than chance brings about. If it was chance, a
// process would be as much above in an iteration as any other one is there, and its sum over the
// iterations would be as large as it is no more often than (Chernoff)
//
//   product over iterations of (mean over processes of exp(factor * above)) / exp(factor * sum)
//
// with whatever factor; the best one counts. Who alone is above, in all of n iterations, has
// processes^-n. Those who are longer in all than the one that is looked at are left out of the
// mean, so that a large excess does not hide a smaller one.
bool are_beyond_chance(const std::vector<std::size_t>& who, const TimesByIteration& above,
                       const std::vector<double>& of_all) {
  auto order = who;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return of_all[a] < of_all[b]; });
  const auto iterations = above.front().size();
  const auto count = static_cast<double>(above.size());
  double most = 0, least = 0;  // at once
  for (const auto k : who) {
    const auto own = find_most(above[k]);
    most = std::max(most, own);
    least = least > 0 ? std::min(least, own) : own;
  }

  constexpr double first = 0.1, last = 40, step = 1.5;
  std::vector<double> chances(order.size());  // logarithms
  std::vector<double> sums(iterations);
  const auto factors = std::ceil(std::log(last * most / (first * least)) / std::log(step)) + 1;
  for (int power = 0; power < static_cast<int>(factors); ++power) {
    const auto factor = first / most * std::pow(step, power);
    const auto add = [&](std::size_t k) {
      for (std::size_t i = 0; i < iterations; ++i)
        sums[i] += above[k][i] > 0 ? std::exp(factor * above[k][i]) : 1;
    };
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < above.size(); ++k)
      if (!std::binary_search(who.begin(), who.end(), k))
        add(k);
    for (std::size_t n = 0; n < order.size(); ++n) {
      add(order[n]);
      const auto processes = count - static_cast<double>(order.size() - 1 - n);
      auto chance = -factor * of_all[order[n]];
      for (const auto sum : sums)
        chance += std::log(sum / processes);
      chances[n] = std::min(chances[n], chance);
    }
    if (std::all_of(chances.begin(), chances.end(),
                    [&](double chance) { return chance < std::log(0.01 / count); }))
      return true;
  }
  return false;
}

// Those with at least a quarter of the most, and so much; none where these are most of all.
std::vector<std::size_t> list_longest(const std::vector<double>& times,
                                      const std::vector<double>& least = {}) {
  const auto most = find_most(times);
  std::vector<std::size_t> who;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] > 0.25 * most && (least.empty() || times[k] > least[k]))
      who.push_back(k);
  if (2 * who.size() > times.size())
    who.clear();
  return who;
}

// Whether they are ten times as far above as all others are, which differ that much in any case.
bool are_far_above(const std::vector<std::size_t>& who, const std::vector<double>& above,
                   double difference) {
  auto least = find_most(above), others = difference;
  for (std::size_t k = 0; k < above.size(); ++k)
    if (std::binary_search(who.begin(), who.end(), k))
      least = std::min(least, above[k]);
    else
      others = std::max(others, above[k]);
  constexpr double far = 10;
  return least > far * others;
}

// How far those who are not among them are from the median, which noise brings about.
double find_difference(const std::vector<std::size_t>& who, const std::vector<double>& times) {
  const auto median = find_lower_median(times);
  double most = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (!std::binary_search(who.begin(), who.end(), k))
      most = std::max(most, std::abs(times[k] - median));
  return most;
}

// Who is far above all others in one iteration, among many that can be compared.
std::vector<std::size_t> find_longer_at_once(const TimesByIteration& above) {
  constexpr std::size_t many = 30;
  std::vector<double> most;
  std::set<std::ptrdiff_t> when;
  for (const auto& of_process : above)
    most.push_back(find_most(of_process));
  auto who = list_longest(most);
  for (const auto k : who)
    when.insert(std::max_element(above[k].begin(), above[k].end()) - above[k].begin());
  const auto compared = (above.size() - who.size()) * above.front().size();
  if (when.size() == 1 && compared >= many && are_far_above(who, most, 0))
    return who;
  return {};
}

}  // namespace

std::vector<std::size_t> find_longer_processes(const std::vector<std::vector<double>>& above,
                                               const std::vector<double>& times, bool are_alike) {
  constexpr std::size_t least_iterations = 3;
  const bool are_told_apart = are_alike && above.front().size() >= least_iterations;
  std::vector<double> of_all, least;
  for (std::size_t k = 0; k < above.size(); ++k) {
    of_all.push_back(compute_sum(above[k]));
    least.push_back(0.05 * times[k]);
  }
  auto who = list_longest(of_all);
  if (!who.empty() && are_told_apart && are_beyond_chance(who, above, of_all))
    return who;
  who = list_longest(of_all, least);
  if (!who.empty() && (are_far_above(who, of_all, find_difference(who, times)) ||
                       (!are_told_apart && are_outside(who, times))))
    return who;
  return are_told_apart ? find_longer_at_once(above) : std::vector<std::size_t>();
}

SomeIterations find_some_iterations(const std::vector<double>& above) {
  constexpr double nearly_all = 0.8, part_of_most = 0.25;
  const auto all = compute_sum(above), most = find_most(above);
  std::vector<std::size_t> which;
  double in_these = 0;
  for (std::size_t i = 0; i < above.size(); ++i)
    if (above[i] > part_of_most * most) {
      which.push_back(i);
      in_these += above[i];
    }
  if (which.empty() || 2 * which.size() > above.size() || in_these < nearly_all * all)
    return {};
  const auto every = which.size() > 1 ? which[1] - which[0] : 1;
  for (std::size_t k = 1; k < which.size(); ++k)
    if (which[k] - which[k - 1] != every)
      return {};
  // A period goes on to both ends.
  if (every > 1 &&
      (which.size() == 2 || which.front() >= every || which.back() + every < above.size()))
    return {};
  return {which.front(), which.back(), every};
}

}  // namespace tracefold
