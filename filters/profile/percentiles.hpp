// Percentiles of weighted values by nearest rank: the p-th percentile is the
// smallest value such that p percent of all values are less or equal. A value of
// weight n counts as n equal ones.
//
// Source: thesis 4.4.2.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tracefold {

struct WeightedValue {
  std::uint64_t value = 0;
  std::uint64_t weight = 1;  // at least 1
  std::size_t source = 0;    // whose value it is
};

// The place, from 1, that the p-th percentile has among n values in their order.
inline std::uint64_t nearest_rank(unsigned percent, std::uint64_t n) {
  const auto rank =
      n / 100 * percent +
      (n % 100 * percent + 99) / 100;  // the ceiling of n * percent / 100, without overflow
  return rank == 0 ? 1 : rank;
}

// `values` are ascending and not empty, `total` is the sum of their weights, and
// `percents` ascend. Fills `out`, which is as long as `percents`.
inline void percentiles(std::span<const WeightedValue> values, std::uint64_t total,
                        std::span<const unsigned> percents, std::span<std::uint64_t> out) {
  assert(!values.empty() && percents.size() == out.size());
  std::size_t at = 0;
  std::uint64_t reached = values[0].weight;
  for (std::size_t k = 0; k < percents.size(); ++k) {
    const auto rank = nearest_rank(percents[k], total);
    while (reached < rank && at + 1 < values.size())
      reached += values[++at].weight;
    out[k] = values[at].value;
  }
}

}  // namespace tracefold
