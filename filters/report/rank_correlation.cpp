#include "filters/report/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

// The continued fraction of the incomplete beta function, by Lentz's method.
double sum_beta_fraction(double a, double b, double x) {
  constexpr int most_terms = 500;
  constexpr double tiny = 1e-300, precision = 1e-12;
  const auto keep_apart = [](double value) { return std::abs(value) < tiny ? tiny : value; };

  double c = 1, d = 1 / keep_apart(1 - (a + b) * x / (a + 1)), out = d;
  for (int m = 1; m <= most_terms; ++m) {
    const auto even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keep_apart(1 + even * d);
    c = keep_apart(1 + even / c);
    out *= d * c;
    const auto odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keep_apart(1 + odd * d);
    c = keep_apart(1 + odd / c);
    out *= d * c;
    if (std::abs(d * c - 1) < precision)
      break;
  }
  return out;
}

// The regularised incomplete beta function.
double measure_beta(double a, double b, double x) {
  if (x <= 0)
    return 0;
  if (x >= 1)
    return 1;
  const auto factor = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                               a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? factor * sum_beta_fraction(a, b, x) / a
                                   : 1 - factor * sum_beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double correlate_values(const std::vector<double>& a, const std::vector<double>& b) {
  const auto size = static_cast<double>(a.size());
  if (a.empty())
    return 0;
  const auto mean_a = std::accumulate(a.begin(), a.end(), 0.0) / size;
  const auto mean_b = std::accumulate(b.begin(), b.end(), 0.0) / size;
  double of_a = 0, of_b = 0, both = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto x = a[k] - mean_a, y = b[k] - mean_b;
    of_a += x * x;
    of_b += y * y;
    both += x * y;
  }
  // What is left of equal values by rounding is no variation.
  constexpr double rounding = 1e-20;
  if (of_a <= rounding * size * mean_a * mean_a || of_b <= rounding * size * mean_b * mean_b)
    return 0;
  return std::clamp(both / std::sqrt(of_a * of_b), -1.0, 1.0);
}

double find_correlation_chance(double r, std::size_t pairs) {
  if (pairs < 3)
    return 1;
  const auto freedom = static_cast<double>(pairs - 2);
  return measure_beta(freedom / 2, 0.5, 1 - r * r);
}

}  // namespace tracefold
