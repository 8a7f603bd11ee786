#include "filters/comparison/differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<double> subtract(const PartnerValues& values) {
  std::vector<double> out(values.a.size());
  for (std::size_t k = 0; k < values.a.size(); ++k)
    out[k] = values.b[k] - values.a[k];
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

Difference measure_difference(const PartnerValues& values, const Noise& noise) {
  Difference out;
  const auto a = sum_weighted(values.a, values.weights_a),
             b = sum_weighted(values.b, values.weights_b);
  out.total_a = a.total;
  out.total_b = b.total;
  out.a = a.get();
  out.b = b.get();
  out.spread = values.are_partners
                   ? estimate_deviation(subtract(values))
                   : std::hypot(estimate_deviation(values.a), estimate_deviation(values.b));
  const auto difference = std::abs(out.b - out.a);
  out.is_beyond = difference > 2 * out.spread + noise.relative * std::max(out.a, out.b);

  return out;
}

std::vector<std::size_t> find_changed(const PartnerValues& values, const Noise& noise) {
  std::vector<std::size_t> out;
  if (!values.are_partners)
    return out;
  const auto spread = estimate_deviation(subtract(values));
  for (std::size_t k = 0; k < values.a.size(); ++k)
    if (std::abs(values.b[k] - values.a[k]) >
        3 * spread + 2 * noise.relative * std::max(values.a[k], values.b[k]))
      out.push_back(k);
  return out;
}

}  // namespace tracefold
