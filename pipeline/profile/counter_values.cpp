#include "pipeline/profile/counter_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tracefold {

namespace {

// A double as an integer's bits; what is none is 0, what is too large the largest.
std::uint64_t rounded(double value) {
  constexpr double largest = 9.2e18;
  return std::isnan(value)
             ? 0
             : static_cast<std::uint64_t>(std::llround(std::clamp(value, -largest, largest)));
}

bool is_negative(std::uint64_t bits) {
  return bits >> 63;
}

std::uint64_t grown(std::uint64_t type, std::uint64_t before, std::uint64_t after) {
  const auto increment = counter_increment(before, after);
  if (type == otf2_value::type_uint64)
    return after >= before || is_negative(before) ? increment : 0;
  return static_cast<std::int64_t>(after) > static_cast<std::int64_t>(before) ? increment : 0;
}

}  // namespace

const std::vector<std::pair<std::uint32_t, std::uint64_t>>& CounterValues::increments(
    const Event& event) {
  increments_.clear();
  const auto counters = form_.counters(event.fields[0]);
  const auto members = std::min<std::size_t>(event.list.size() / 2, counters.size());
  if (members == 0)
    return increments_;

  const auto [at, first] = last_.try_emplace(event.fields[0], counters.size());

  for (std::size_t k = 0; k < members; ++k) {
    if (counters[k].column == SeriesForm::no_column)
      continue;

    const auto type = event.list[k], bits = event.list[event.list.size() / 2 + k];
    const auto value =
        type == otf2_value::type_double ? rounded(std::bit_cast<double>(bits)) : bits;
    const auto before = std::exchange(at->second[k], value);
    const bool negative = type != otf2_value::type_uint64 && is_negative(value);
    const auto increment =
        counters[k].accumulates ? (first ? 0 : grown(type, before, value)) : (negative ? 0 : value);
    if (increment > 0)
      increments_.emplace_back(counters[k].column, increment);
  }

  return increments_;
}

}  // namespace tracefold
