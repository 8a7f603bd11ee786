#include "filters/profile/spread.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_named = 8;

// The values are ascending, so that outliers stand at both ends, the furthest first.
void find_outliers(std::span<const WeightedValue> values, Spread& spread) {
  const auto low = spread.at[1], high = spread.at[3];
  const auto reach = 1.5 * static_cast<double>(high - low);
  const auto distance = [&](const WeightedValue& v) {
    return static_cast<double>(v.value < low ? low - v.value : v.value > high ? v.value - high : 0);
  };
  std::size_t first = 0, last = values.size();

  while (first < last) {
    const bool is_first = distance(values[first]) >= distance(values[last - 1]);
    const auto& value = is_first ? values[first] : values[last - 1];
    if (distance(value) <= reach)
      break;

    is_first ? ++first : --last;
    spread.outliers += value.weight;
    if (spread.furthest.size() < most_named)
      spread.furthest.push_back(value.source);
  }
}

}  // namespace

Spread spread_of(std::vector<WeightedValue>& values, std::uint64_t processes) {
  const auto by_value = [](const auto& a, const auto& b) { return a.value < b.value; };
  if (!std::is_sorted(values.begin(), values.end(), by_value))
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.source < b.source;
    });

  Spread spread;
  percentiles(values, processes, shown_percentiles, spread.at);
  for (const auto& v : values)
    spread.total += static_cast<double>(v.value) * static_cast<double>(v.weight);

  find_outliers(values, spread);

  return spread;
}

}  // namespace tracefold
