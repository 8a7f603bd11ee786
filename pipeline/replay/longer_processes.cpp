#include "pipeline/replay/longer_processes.hpp"

#include "base/averages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

// The chance of so many of n, each of which comes about with this chance.
double find_chance(std::size_t least, std::size_t n, double each) {
  if (least == 0 || each >= 1)
    return 1;
  double sum = 0;
  for (auto k = least; k <= n; ++k) {
    const auto of_n = static_cast<double>(n), of_k = static_cast<double>(k);
    sum += std::exp(std::lgamma(of_n + 1) - std::lgamma(of_k + 1) - std::lgamma(of_n - of_k + 1) +
                    of_k * std::log(each) + (of_n - of_k) * std::log1p(-each));
  }
  return sum;
}

// Whether they are far beyond the spread of all.
bool are_outside(const std::vector<std::size_t>& who, const std::vector<double>& times) {
  const auto median = find_upper_median(times);
  std::vector<double> away;
  for (const auto time : times)
    away.push_back(std::abs(time - median));
  constexpr double far = 6 * 1.4826;
  const auto spread = find_upper_median(away);
  return std::all_of(who.begin(), who.end(),
                     [&](auto k) { return times[k] > median + far * spread; });
}

// Whether each of them is among the longest far more often than chance, or they are far above all
// others.
bool are_late(const std::vector<std::size_t>& who, const std::vector<std::vector<double>>& above,
              const std::vector<double>& of_all, const std::vector<double>& times, bool are_alike) {
  double least = of_all[who.front()], others = 0;
  for (const auto k : who)
    least = std::min(least, of_all[k]);
  // How far the others are from each other, which noise brings about.
  const auto median = find_lower_median(times);
  for (std::size_t k = 0; k < of_all.size(); ++k)
    if (!std::binary_search(who.begin(), who.end(), k))
      others = std::max({others, of_all[k], std::abs(times[k] - median)});
  constexpr double far = 10;
  constexpr std::size_t least_iterations = 3;
  const auto iterations = above.front().size();
  if (least > far * others)
    return true;
  if (!are_alike || iterations < least_iterations)
    return are_outside(who, times);

  std::vector<std::size_t> longest(of_all.size());  // in how many iterations
  std::vector<std::size_t> places(of_all.size());
  for (std::size_t i = 0; i < iterations; ++i) {
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(who.size() - 1),
                     places.end(), [&](auto a, auto b) { return above[a][i] > above[b][i]; });
    for (std::size_t k = 0; k < who.size(); ++k)
      longest[places[k]] += above[places[k]][i] > 0;
  }
  const auto count = static_cast<double>(of_all.size());
  return std::all_of(who.begin(), who.end(), [&](auto k) {
    return find_chance(longest[k], iterations, static_cast<double>(who.size()) / count) <
           0.01 / count;
  });
}

}  // namespace

std::vector<std::size_t> find_longer_processes(const std::vector<std::vector<double>>& above,
                                               const std::vector<double>& times, bool are_alike) {
  std::vector<double> of_all;
  for (const auto& of_process : above)
    of_all.push_back(compute_sum(of_process));
  const auto most = find_most(of_all);

  std::vector<std::size_t> who;
  for (std::size_t k = 0; k < of_all.size(); ++k)
    if (of_all[k] > 0.25 * most && of_all[k] > 0.05 * times[k])
      who.push_back(k);
  if (who.empty() || 2 * who.size() > of_all.size() ||
      !are_late(who, above, of_all, times, are_alike))
    return {};
  return who;
}

SomeIterations find_some_iterations(const std::vector<double>& above) {
  constexpr double nearly_all = 0.9, part_of_most = 0.1;
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
