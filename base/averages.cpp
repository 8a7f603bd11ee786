#include "base/averages.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tracefold {

namespace {

// The value of this rank, which has to be there.
double find_ranked(std::vector<double>& values, std::size_t rank) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

double compute_sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double compute_mean(std::span<const double> values) {
  return values.empty() ? 0 : compute_sum(values) / static_cast<double>(values.size());
}

double find_most(std::span<const double> values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

double find_upper_median(std::vector<double> values) {
  return values.empty() ? 0 : find_ranked(values, values.size() / 2);
}

double find_lower_median(std::vector<double> values) {
  return values.empty() ? 0 : find_ranked(values, (values.size() - 1) / 2);
}

std::uint64_t nearest_rank(unsigned percent, std::uint64_t n) {
  // n * percent / 100, rounded up, without an overflow.
  const auto rank = n / 100 * percent + (n % 100 * percent + 99) / 100;

  return rank == 0 ? 1 : rank;
}

}  // namespace tracefold
