#include "filters/summary/outliers.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

constexpr double clear_gap = 0.35;  // of the range of values
constexpr double least_gap = 0.05;  // of the largest value
constexpr double same_gap = 0.02;   // as before: values of reduced traces are known to 1 %

}  // namespace

Outliers find_largest(const std::vector<double>& values) {
  Outliers out;
  if (values.empty())
    return out;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  const auto range = values[order.front()] - values[order.back()];
  std::size_t upper = 1;
  double gap = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (const auto one = values[order[k - 1]] - values[order[k]];
        one > gap + (gap > 0 ? same_gap * values[order.front()] : 0)) {
      gap = one;
      upper = k;
    }
  out.are_clear = range > 0 && gap >= clear_gap * range && gap >= least_gap * values[order.front()];
  out.places.assign(order.begin(),
                    order.begin() + static_cast<std::ptrdiff_t>(out.are_clear ? upper : 1));
  std::sort(out.places.begin(), out.places.end());
  return out;
}

}  // namespace tracefold
