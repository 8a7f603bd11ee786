#include "filters/comparison/differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>

namespace tracefold {

namespace {

struct WeightedMean {
  double total = 0, weight = 0;
  double get() const { return weight > 0 ? total / weight : 0; }
};

WeightedMean sum_weighted(const std::vector<double>& values, const std::vector<double>& weights) {
  WeightedMean out;
  for (std::size_t k = 0; k < values.size(); ++k) {
    out.total += values[k] * weights[k];
    out.weight += weights[k];
  }
  return out;
}

bool counts(const std::vector<double>& weights, std::size_t k) {
  return weights.empty() || weights[k] > 0;
}

std::size_t get_group(const std::vector<std::size_t>& groups, std::size_t k) {
  return groups.empty() ? 0 : groups[k];
}

// By group the values that count.
std::map<std::size_t, std::vector<double>> split(const std::vector<double>& values,
                                                 const std::vector<double>& weights,
                                                 const std::vector<std::size_t>& groups) {
  std::map<std::size_t, std::vector<double>> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (counts(weights, k))
      out[get_group(groups, k)].push_back(values[k]);
  return out;
}

// The mean square of the spreads of groups.
class MeanSpread {
 public:
  void add(double spread, std::size_t values) {
    sum_ += spread * spread * static_cast<double>(values);
    values_ += values;
  }
  std::optional<double> get() const {
    return values_ == 0 ? std::nullopt
                        : std::optional(std::sqrt(sum_ / static_cast<double>(values_)));
  }

 private:
  double sum_ = 0;
  std::size_t values_ = 0;
};

std::optional<double> find_own_spread(const std::vector<double>& values,
                                      const std::vector<double>& weights,
                                      const std::vector<std::size_t>& groups) {
  MeanSpread mean;
  for (const auto& [group, own] : split(values, weights, groups))
    if (own.size() >= least_spread_values)
      mean.add(estimate_deviation(own), own.size());
  return mean.get();
}

// None where no group has enough values.
std::optional<double> find_spread(const PartnerValues& values, ValueKind kind) {
  if (!values.are_partners) {
    const auto a = find_own_spread(values.a, values.weights_a, values.groups_a),
               b = find_own_spread(values.b, values.weights_b, values.groups_b);
    return a || b ? std::optional(std::hypot(a.value_or(0), b.value_or(0))) : std::nullopt;
  }

  std::vector<double> differences(values.a.size());
  for (std::size_t k = 0; k < values.a.size(); ++k)
    differences[k] = values.b[k] - values.a[k];
  const auto a = split(values.a, values.weights_a, values.groups_a),
             b = split(values.b, values.weights_a, values.groups_a);
  MeanSpread mean;
  for (const auto& [group, own] : split(differences, values.weights_a, values.groups_a)) {
    if (own.size() < least_spread_values)
      continue;
    auto spread = estimate_deviation(own);
    // Two equal runs differ by the noise of both, which is at most what either shows.
    if (kind == ValueKind::computation)
      spread = std::min(spread, std::numbers::sqrt2 * std::min(estimate_deviation(a.at(group)),
                                                               estimate_deviation(b.at(group))));
    mean.add(spread, own.size());
  }
  return mean.get();
}

double find_standard_deviation(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const auto mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (auto value : values)
    squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1));
}

// Of all values, those of processes that do something else as well: of differences, or of either
// run, where that is less. For partners; 0 where no group has enough values.
double find_whole_spread(const PartnerValues& values) {
  std::vector<double> differences(values.a.size());
  for (std::size_t k = 0; k < values.a.size(); ++k)
    differences[k] = values.b[k] - values.a[k];
  const auto measure = [&](const std::vector<double>& of) {
    MeanSpread mean;
    for (const auto& [group, own] : split(of, values.weights_a, values.groups_a))
      if (own.size() >= least_spread_values)
        mean.add(find_standard_deviation(own), own.size());
    return mean.get().value_or(0);
  };
  return std::min(measure(differences),
                  std::numbers::sqrt2 * std::min(measure(values.a), measure(values.b)));
}

// Those of the changed places whose difference is far from that of all others, or from the spread
// of either run where they are many.
std::vector<std::size_t> keep_clear(const PartnerValues& values,
                                    const std::vector<std::size_t>& changed) {
  constexpr std::size_t few = 8;
  constexpr double gap = 2.5, gap_of_few = 4, far = 6, least_share = 0.25;
  const auto measure = [&](std::size_t k) { return std::abs(values.b[k] - values.a[k]); };
  const auto counted = list_counted(values);
  auto sizes = counted;
  std::sort(sizes.begin(), sizes.end(),
            [&](std::size_t x, std::size_t y) { return measure(x) > measure(y); });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < sizes.size() && k <= changed.size(); ++k)
    if (measure(sizes[k - 1]) > (sizes.size() < few ? gap_of_few : gap) * measure(sizes[k]))
      least = measure(sizes[k - 1]);

  const auto whole = find_whole_spread(values);
  const auto are_far = static_cast<double>(std::count_if(
      changed.begin(), changed.end(), [&](std::size_t k) { return measure(k) > far * whole; }));
  if (are_far >= least_share * static_cast<double>(sizes.size()))
    least = std::min(least, far * whole);
  std::vector<std::size_t> out;
  std::copy_if(changed.begin(), changed.end(), std::back_inserter(out),
               [&](std::size_t k) { return measure(k) >= least; });
  return out;
}

}  // namespace

double estimate_deviation(std::vector<double> values) {
  const auto n = values.size();
  if (n < 2)
    return 0;
  std::sort(values.begin(), values.end());
  // From 8 values on only two fifths, so that half of them may do something else.
  const auto dense = n < 8 ? n / 2 + 1 : 2 * n / 5 + 1;
  auto width = values.back() - values.front();
  for (std::size_t k = 0; k + dense <= n; ++k)
    width = std::min(width, values[k + dense - 1] - values[k]);
  // The width in standard deviations, which few values make smaller: means of random draws.
  static constexpr std::array<double, 8> of_few{1, 1, 1.13, 0.46, 0.95, 0.64, 0.95, 0.8};
  return width / (n < of_few.size() ? of_few[n]
                  : n < 10          ? 0.55
                  : n < 16          ? 0.62
                  : n < 40          ? 0.74
                  : n < 200         ? 0.9
                                    : 1.0);
}

Difference measure_difference(const PartnerValues& values, ValueKind kind, const Noise& noise) {
  Difference out;
  const auto a = sum_weighted(values.a, values.weights_a),
             b = sum_weighted(values.b, values.weights_b);
  out.total_a = a.total;
  out.total_b = b.total;
  out.a = a.get();
  out.b = b.get();
  const auto spread = find_spread(values, kind);
  out.spread = spread.value_or(0);
  out.has_spread = spread.has_value();
  const auto least = spread ? noise.relative : noise.without_spread;
  out.is_beyond = std::abs(out.b - out.a) > 2 * out.spread + least * std::max(out.a, out.b);
  // A spread of few is rough; what all of them vary tells that of their mean.
  if (out.is_beyond && out.spread > 0 && values.are_partners && kind == ValueKind::computation)
    out.is_beyond =
        std::abs(out.b - out.a) >
        4 * find_whole_spread(values) / std::sqrt(static_cast<double>(list_counted(values).size()));
  return out;
}

std::vector<std::size_t> find_changed(const PartnerValues& values, ValueKind kind,
                                      const Noise& noise) {
  std::vector<std::size_t> out;
  if (!values.are_partners)
    return out;
  const auto spread = find_spread(values, kind);
  const auto groups = split(values.a, values.weights_a, values.groups_a);
  constexpr double beyond = 4;  // spreads, which few values tell roughly
  for (auto k : list_counted(values)) {
    const bool has_spread = groups.at(get_group(values.groups_a, k)).size() >= least_spread_values;
    const auto least = has_spread ? 2 * noise.relative : noise.without_spread;
    if (std::abs(values.b[k] - values.a[k]) >
        beyond * spread.value_or(0) + least * std::max(values.a[k], values.b[k]))
      out.push_back(k);
  }
  if (kind == ValueKind::waiting || out.empty())
    return out;
  auto clear = keep_clear(values, out);
  return clear.empty() && measure_difference(values, kind, noise).is_beyond ? out : clear;
}

std::vector<std::size_t> list_counted(const PartnerValues& values) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < values.a.size(); ++k)
    if (counts(values.weights_a, k))
      out.push_back(k);
  return out;
}

double get_mean(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0;
  for (auto k : places)
    sum += values[k];
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

}  // namespace tracefold
