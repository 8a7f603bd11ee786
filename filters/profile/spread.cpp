#include "filters/profile/spread.hpp"

#include "base/averages.hpp"

#include <algorithm>
#include <cassert>
#include <span>

namespace tracefold {

namespace {

constexpr std::size_t most_named_outliers = 8;

// The values are ascending.
void find_percentiles(std::span<const WeightedValue> values, std::uint64_t processes,
                      Spread& spread) {
  assert(!values.empty());
  std::size_t at = 0;
  std::uint64_t reached = values[0].weight;

  for (std::size_t k = 0; k < shown_percentiles.size(); ++k) {
    const auto rank = nearest_rank(shown_percentiles[k], processes);
    while (reached < rank && at + 1 < values.size())
      reached += values[++at].weight;

    spread.at[k] = values[at].value;
  }
}

// The values are ascending, so that outliers stand at both ends, the furthest ones first.
void find_outliers(std::span<const WeightedValue> values, Spread& spread) {
  const auto low = spread.at[1];
  const auto high = spread.at[3];
  const auto reach = 1.5 * static_cast<double>(high - low);

  const auto distance = [&](const WeightedValue& v) {
    return static_cast<double>(v.value < low ? low - v.value : v.value > high ? v.value - high : 0);
  };

  std::size_t first = 0;
  std::size_t last = values.size();

  while (first < last) {
    const bool is_first = distance(values[first]) >= distance(values[last - 1]);
    const auto& value = is_first ? values[first] : values[last - 1];
    if (distance(value) <= reach)
      break;

    is_first ? ++first : --last;
    spread.outliers += value.weight;
    if (spread.furthest.size() < most_named_outliers) {
      spread.furthest.push_back(value.process);
      spread.furthest_values.push_back(value.value);
    }
  }
}

}  // namespace

Spread measure_spread(std::vector<WeightedValue>& values, std::uint64_t processes) {
  // Often all values are equal. Then there is nothing to sort.
  if (!std::is_sorted(values.begin(), values.end(),
                      [](const auto& a, const auto& b) { return a.value < b.value; }))
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.process < b.process;
    });

  Spread spread;
  find_percentiles(values, processes, spread);
  spread.minimum = values.front().value;
  spread.maximum = values.back().value;
  for (const auto& v : values)
    spread.total += static_cast<double>(v.value) * static_cast<double>(v.weight);

  find_outliers(values, spread);

  return spread;
}

}  // namespace tracefold
