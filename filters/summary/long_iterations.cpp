#include "filters/summary/long_iterations.hpp"

#include "base/averages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace tracefold {

namespace {

double seconds_per_column(double ticks, const IterationTimes& loop) {
  return ticks / static_cast<double>(loop.per_column);
}

// What chance brings about once in a hundred times, on both sides, in standard deviations.
constexpr double beyond_chance = 2.58;

// Kendall's tau: from -1, where each later one is shorter, to 1, where each is longer; 0 where
// chance explains it.
double measure_trend(const std::vector<double>& times) {
  double higher = 0, pairs = 0, count = 0;
  const auto step = std::max<std::size_t>(times.size() / 200, 1);
  for (std::size_t a = 0; a < times.size(); a += step) {
    for (std::size_t b = a + step; b < times.size(); b += step) {
      higher += times[b] > times[a] ? 1 : times[b] < times[a] ? -1 : 0;
      ++pairs;
    }
    ++count;
  }
  if (pairs == 0)
    return 0;
  const auto deviation = std::sqrt(count * (count - 1) * (2 * count + 5) / 18);
  return std::abs(higher) > beyond_chance * deviation ? higher / pairs : 0;
}

// Whether the values of one list are larger than those of the other beyond chance (Mann-Whitney),
// where the best of so many splits was chosen.
bool are_beyond_chance(const std::vector<double>& larger, const std::vector<double>& smaller,
                       std::size_t splits) {
  // An even sample of many.
  const auto step_n = larger.size() / 200 + 1, step_m = smaller.size() / 200 + 1;
  double above = 0, n = 0, m = 0;
  for (std::size_t a = 0; a < larger.size(); a += step_n) {
    for (std::size_t b = 0; b < smaller.size(); b += step_m)
      above += larger[a] > smaller[b] ? 1 : larger[a] == smaller[b] ? 0.5 : 0;
    ++n;
  }
  for (std::size_t b = 0; b < smaller.size(); b += step_m)
    ++m;
  const auto z = (above - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
  return std::erfc(z / std::numbers::sqrt2) * static_cast<double>(splits) < 0.05;
}

// The value below which such a share of them is.
double find_quantile(std::vector<double> values, double share) {
  const auto place = share * static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::lround(place));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Split {
  std::size_t at = 0;    // the begin of the second part
  double explained = 0;  // the share of the variance that is between both
};

// Where to part the times so that each part differs least from its mean.
Split find_split(const std::vector<double>& times) {
  double all = 0, squares = 0;
  for (auto time : times) {
    all += time;
    squares += time * time;
  }
  const auto count = static_cast<double>(times.size());
  const auto variance = squares - all * all / count;

  Split split;
  double best = -1, before = 0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    before += times[k - 1];
    const auto n = static_cast<double>(k), rest = static_cast<double>(times.size() - k);
    const auto difference = before / n - (all - before) / rest;
    const auto between = n * rest * difference * difference;
    if (between > best) {
      best = between;
      split = {k, variance > 0 ? between / count / variance : 0};
    }
  }
  return split;
}

struct TimeChange {
  std::size_t at = 0;  // 0: gradually
  double begin = 0, end = 0;
};

// Those that are longer than all others by a tenth, and by ten times what either differ among
// themselves: noise seldom is, even where there are few times.
std::vector<std::size_t> list_apart(const std::vector<double>& times) {
  constexpr double far = 10, least_ratio = 1.1;
  auto sorted = times;
  std::sort(sorted.begin(), sorted.end());
  std::size_t at = 1;
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k] - sorted[k - 1] > sorted[at] - sorted[at - 1])
      at = k;
  const auto spread = std::max(sorted[at - 1] - sorted.front(), sorted.back() - sorted[at]);
  std::vector<std::size_t> which;
  if (sorted[at] - sorted[at - 1] >= far * spread && sorted[at] > least_ratio * sorted[at - 1])
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] >= sorted[at])
        which.push_back(i);
  return which;
}

// Whether times change: gradually, or at one place, before which nearly all are longer, or all are
// shorter, than nearly all behind it. A single one at an end is no change.
std::optional<TimeChange> find_change(const std::vector<double>& times) {
  constexpr double least_trend = 0.6, least_ratio = 1.1, most_overlap = 0.1;
  // By chance the best split explains so much of eight values less than once in a hundred times.
  constexpr double clear_share = 0.9, least_share_of_variance = 0.5;
  constexpr std::size_t least_times = 8;
  constexpr std::size_t least_part = 2;
  const bool are_few = times.size() < least_times;
  TimeChange change{0, find_end(times, false), find_end(times, true)};
  const auto differ = [&] {
    return std::max(change.begin, change.end) > least_ratio * std::min(change.begin, change.end);
  };
  const auto trend = are_few ? 0 : measure_trend(times);
  if (std::abs(trend) > least_trend && (trend > 0) == (change.end > change.begin) && differ())
    return change;

  const auto [split, explained] = find_split(times);
  if (split < least_part || times.size() - split < least_part)
    return std::nullopt;

  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(split);
  const std::vector<double> before(times.begin(), middle), behind(middle, times.end());
  change = {split, find_upper_median(before), find_upper_median(behind)};
  const auto& shorter = change.begin < change.end ? before : behind;
  const auto& longer = change.begin < change.end ? behind : before;
  const bool are_apart =
      find_quantile(longer, most_overlap) > find_quantile(shorter, 1 - most_overlap);
  const bool is_clear =
      are_few ? list_apart(times).size() == longer.size()
              : explained >= clear_share || (explained >= least_share_of_variance &&
                                             are_beyond_chance(longer, shorter, times.size() - 1));
  if (!are_apart || !differ() || !is_clear)
    return std::nullopt;
  return change;
}

LongIterations describe_change(const IterationTimes& loop, const std::vector<double>& times,
                               const TimeChange& change) {
  LongIterations out;
  const bool is_slower = change.end > change.begin;
  const auto usual = std::min(change.begin, change.end);
  out.kind = is_slower ? LongKind::slower : LongKind::faster;
  out.loop = loop.number;
  out.change_at = change.at * loop.per_column;
  const auto first = is_slower ? change.at : 0;
  const auto end = is_slower || change.at == 0 ? times.size() : change.at;
  out.first = first * loop.per_column;
  out.last = end * loop.per_column - 1;
  out.count = end - first;
  for (auto k = first; k < end; ++k)
    out.share += std::max(times[k] - usual, 0.0);
  out.usual = seconds_per_column(usual, loop);
  out.value = seconds_per_column(std::max(change.begin, change.end), loop);
  return out;
}

// Whether each so many is long, and no other one is.
std::optional<std::size_t> find_period(const std::vector<std::size_t>& slow) {
  if (slow.size() < 2)
    return std::nullopt;
  const auto period = slow[1] - slow[0];
  for (std::size_t k = 1; k < slow.size(); ++k)
    if (slow[k] - slow[k - 1] != period)
      return std::nullopt;
  return period > 2 ? std::optional(period) : std::nullopt;  // two kinds that take turns are usual
}

// Those of so many times that come each so often, from end to end, where there are three or more,
// and few others are slow.
std::vector<std::size_t> keep_periodic(const std::vector<std::size_t>& slow, std::size_t times) {
  constexpr std::size_t tried = 8, least = 3, others_of = 3;
  std::vector<std::size_t> best;
  const auto end = std::min(slow.size(), tried);
  for (std::size_t a = 0; a < end; ++a)
    for (std::size_t b = a + 1; b < end; ++b) {
      const auto period = slow[b] - slow[a];
      if (period <= 2 || slow[a] >= period)
        continue;
      std::vector<std::size_t> each;
      for (auto i = slow[a]; i < times; i += period)
        each.push_back(i);
      if (each.size() >= least && each.size() > best.size() &&
          others_of * (slow.size() - each.size()) <= each.size() &&
          std::includes(slow.begin(), slow.end(), each.begin(), each.end()))
        best = std::move(each);
    }
  return best;
}

// Each so many, where these are apart, or at least three that are far above what a quarter of all
// are below.
std::vector<std::size_t> list_periodic(const std::vector<double>& times) {
  // The period goes on to both ends.
  const auto is_whole = [&](const std::vector<std::size_t>& slow) {
    const auto period = find_period(slow);
    if (!period || slow.front() >= *period || slow.back() + *period < times.size())
      return false;
    // Any two have a distance: it is a period where it begins with the loop, and fits in twice.
    const bool begins_with_loop = slow.front() == 0 || slow.front() + 1 == *period;
    return slow.size() > 2 || (begins_with_loop && times.size() >= 2 * *period);
  };
  auto apart = list_apart(times);
  if (is_whole(apart))
    return apart;
  constexpr double least_ratio = 1.2, spreads = 5;
  constexpr std::size_t least = 3;
  const auto usual = find_quantile(times, 0.25);
  const auto spread = find_quantile(times, 0.4) - find_quantile(times, 0.1);
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > std::max(least_ratio * usual, usual + spreads * spread))
      slow.push_back(i);
  if (slow.size() >= least && is_whole(slow))
    return slow;
  return keep_periodic(slow, times.size());
}

// Whether all of some times are far above all others, beyond chance.
bool is_gap_clear(const std::vector<double>& times, const std::vector<std::size_t>& slow,
                  double median) {
  constexpr double clear_gap = 0.25;  // of the median
  std::vector<double> larger, smaller;
  for (std::size_t i = 0; i < times.size(); ++i)
    (std::binary_search(slow.begin(), slow.end(), i) ? larger : smaller).push_back(times[i]);
  return *std::min_element(larger.begin(), larger.end()) -
                 *std::max_element(smaller.begin(), smaller.end()) >
             clear_gap * median &&
         are_beyond_chance(larger, smaller, times.size() - 1);
}

// A few that stand out, or up to half of all that are apart: in a row, or by far.
std::vector<std::size_t> list_outliers(const std::vector<double>& times, double median) {
  std::vector<double> differences;
  for (auto time : times)
    differences.push_back(std::abs(time - median));
  const auto spread = find_upper_median(differences);
  auto slow = list_apart(times);
  const bool may_take_turns = times.size() == 3 && slow == std::vector<std::size_t>{1};
  if (!slow.empty() && 2 * slow.size() <= times.size() && !may_take_turns &&
      slow.back() - slow.front() + 1 == slow.size())
    return slow;
  slow.clear();
  constexpr std::size_t least_times = 5;
  if (times.size() < least_times)
    return slow;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > 1.5 * median && times[i] > median + 6 * spread)
      slow.push_back(i);
  const bool are_few = slow.size() <= std::max<std::size_t>(times.size() / 10, 1);
  if (!are_few && (2 * slow.size() > times.size() || !is_gap_clear(times, slow, median)))
    slow.clear();
  return slow;
}

LongTimes find_in_loop(const IterationTimes& loop) {
  LongTimes long_times;
  auto& out = long_times.found;
  std::vector<double> times;
  for (const auto& column : loop.columns)
    times.push_back(column.total);
  // The last column may be of fewer iterations.
  if (loop.per_column > 1 && !times.empty())
    times.pop_back();
  constexpr std::size_t least_times = 3;
  if (times.size() < least_times)
    return long_times;

  auto& slow = long_times.which;
  slow = list_periodic(times);
  const bool is_periodic = !slow.empty();
  if (!is_periodic) {
    if (const auto change = find_change(times)) {
      out = describe_change(loop, times, *change);
      for (auto i = out.first / loop.per_column; i <= out.last / loop.per_column; ++i)
        slow.push_back(i);
      return long_times;
    }
    slow = list_outliers(times, find_upper_median(times));
  }
  if (slow.empty())
    return long_times;

  std::vector<double> others;
  for (std::size_t i = 0, k = 0; i < times.size(); ++i)
    if (k < slow.size() && slow[k] == i)
      ++k;
    else
      others.push_back(times[i]);
  const auto usual = find_upper_median(others);
  out.loop = loop.number;
  out.usual = seconds_per_column(usual, loop);
  const auto worst = *std::max_element(slow.begin(), slow.end(),
                                       [&](auto a, auto b) { return times[a] < times[b]; });
  for (auto i : slow)
    out.share += times[i] - usual;
  out.count = slow.size();
  out.first = worst * loop.per_column;
  out.last = out.first + loop.per_column - 1;
  out.value = seconds_per_column(times[worst], loop);
  if (is_periodic && loop.per_column == 1) {
    out.every = *find_period(slow);
    out.first = slow.front();
    out.last = slow.back();
    std::vector<double> of_slow;
    for (auto i : slow)
      of_slow.push_back(times[i]);
    out.value = find_upper_median(std::move(of_slow));
  }
  out.computation = loop.columns[worst].computation;
  out.most = loop.columns[worst].most;
  out.slowest = loop.columns[worst].slowest;
  return long_times;
}

}  // namespace

LongIterations find_long_iterations(const std::vector<IterationTimes>& loops) {
  LongIterations best;
  const auto count_ranks = [](const IterationTimes& loop) {
    return static_cast<double>(std::max<std::size_t>(loop.ranks.size(), 1));
  };
  double all = 0;
  for (const auto& loop : loops)
    for (const auto& column : loop.columns)
      all += column.total * count_ranks(loop);
  for (const auto& loop : loops) {
    auto one = find_in_loop(loop).found;
    one.ranks = loop.ranks;
    if (all > 0)
      one.share *= count_ranks(loop) / all;
    if (one.share > best.share)
      best = one;
  }
  return best;
}

double find_end(const std::vector<double>& times, bool of_last) {
  constexpr std::size_t least_points = 4, most_points = 200;
  auto ordered = times;
  if (of_last)
    std::reverse(ordered.begin(), ordered.end());
  ordered.resize(std::min(ordered.size(), std::max(2 * ordered.size() / 5, least_points)));
  const auto step = ordered.size() / most_points + 1;
  std::vector<double> slopes, begins;
  for (std::size_t a = 0; a < ordered.size(); a += step)
    for (std::size_t b = a + step; b < ordered.size(); b += step)
      slopes.push_back((ordered[b] - ordered[a]) / static_cast<double>(b - a));
  const auto slope = find_upper_median(std::move(slopes));
  for (std::size_t i = 0; i < ordered.size(); ++i)
    begins.push_back(ordered[i] - slope * static_cast<double>(i));
  // No iteration was ever shorter than the shortest one.
  return std::max(find_upper_median(std::move(begins)),
                  *std::min_element(times.begin(), times.end()));
}

LongTimes find_long_times(const std::vector<double>& times) {
  IterationTimes loop;
  for (const auto time : times)
    loop.columns.push_back({time});
  return find_in_loop(loop);
}

}  // namespace tracefold
