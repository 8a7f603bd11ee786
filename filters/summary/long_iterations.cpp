#include "filters/summary/long_iterations.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

double compute_median(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double seconds_per_column(double ticks, const IterationTimes& loop) {
  return ticks / static_cast<double>(loop.per_column);
}

LongIterations find_in_loop(const IterationTimes& loop) {
  LongIterations out;
  constexpr std::size_t least_columns = 5;
  const auto count = loop.columns.size();
  if (count < least_columns)
    return out;
  std::vector<double> times;
  for (const auto& column : loop.columns)
    times.push_back(column.total);
  // The last column may be of fewer iterations.
  if (loop.per_column > 1)
    times.pop_back();
  const auto median = compute_median(times);
  out.loop = loop.number;
  out.usual = seconds_per_column(median, loop);

  // A trend: later ones take longer, nearly each than most before it.
  double higher = 0, pairs = 0;
  const auto step = std::max<std::size_t>(times.size() / 200, 1);
  for (std::size_t a = 0; a < times.size(); a += step)
    for (std::size_t b = a + step; b < times.size(); b += step) {
      higher += times[b] > times[a] ? 1 : times[b] < times[a] ? -1 : 0;
      ++pairs;
    }
  const auto part = std::max<std::size_t>(times.size() / 5, 1);
  const auto begin =
      compute_median({times.begin(), times.begin() + static_cast<std::ptrdiff_t>(part)});
  const auto end = compute_median({times.end() - static_cast<std::ptrdiff_t>(part), times.end()});
  if (pairs > 0 && higher / pairs > 0.6 && end > 1.1 * begin) {
    out.is_trend = true;
    out.count = times.size();
    out.first = 0;
    out.last = times.size() - 1;
    for (auto time : times)
      out.share += std::max(time - begin, 0.0);
    out.usual = seconds_per_column(begin, loop);
    out.value = seconds_per_column(end, loop);
    return out;
  }

  // A few that stand out.
  std::vector<std::size_t> slow;
  std::vector<double> differences;
  for (auto time : times)
    differences.push_back(std::abs(time - median));
  const auto spread = compute_median(differences);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > 1.5 * median && times[i] > median + 6 * spread)
      slow.push_back(i);
  if (slow.empty() || slow.size() > std::max<std::size_t>(times.size() / 10, 1))
    return out;
  const auto worst = *std::max_element(slow.begin(), slow.end(),
                                       [&](auto a, auto b) { return times[a] < times[b]; });
  for (auto i : slow)
    out.share += times[i] - median;
  out.count = slow.size();
  out.first = worst * loop.per_column;
  out.last = out.first + loop.per_column - 1;
  out.value = seconds_per_column(times[worst], loop);
  out.computation = loop.columns[worst].computation;
  out.most = loop.columns[worst].most;
  out.slowest = loop.columns[worst].slowest;
  return out;
}

}  // namespace

LongIterations find_long_iterations(const std::vector<IterationTimes>& loops) {
  LongIterations best;
  double all = 0;
  for (const auto& loop : loops)
    for (const auto& column : loop.columns)
      all += column.total;
  for (const auto& loop : loops) {
    auto one = find_in_loop(loop);
    if (all > 0)
      one.share /= all;
    if (one.share > best.share)
      best = one;
  }
  return best;
}

}  // namespace tracefold
