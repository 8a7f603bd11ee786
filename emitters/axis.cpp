#include "emitters/axis.hpp"

#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tracefold {

namespace {

// Values of this unit have four digits or more.
constexpr double too_large = 9999.5;

AxisUnit choose_time_unit(const Plan& plan, double largest) {
  static constexpr std::array<const char*, 4> names{"s", "ms", "us", "ns"};
  const auto ticks_per_second = 1 / to_seconds(plan, 1.0);
  AxisUnit unit{names[0], ticks_per_second};
  for (std::size_t k = 1; k < names.size() && largest > 0 && largest < unit.size; ++k)
    unit = {names[k], unit.size / 1000};

  return unit;
}

AxisUnit choose_larger_unit(std::array<const char*, 5> names, double factor, double largest) {
  AxisUnit unit{names[0], 1};
  for (std::size_t k = 1; k < names.size() && largest / unit.size >= too_large; ++k)
    unit = {names[k], unit.size * factor};

  return unit;
}

std::string write_with_digits(double value, int digits) {
  if (value == 0)
    return "0";
  const auto decimals = digits - 1 - std::floor(std::log10(std::abs(value)));
  return fmt::format("{:.{}f}", value, static_cast<int>(std::clamp(decimals, 0.0, 12.0)));
}

}  // namespace

AxisUnit choose_unit(const Plan& plan, MetricKind kind, double largest,
                     const std::string& recorded_unit) {
  switch (kind) {
    case MetricKind::time: return choose_time_unit(plan, largest);
    case MetricKind::bytes:
      return choose_larger_unit({"bytes", "KiB", "MiB", "GiB", "TiB"}, 1024, largest);
    default: break;
  }

  auto unit = choose_larger_unit({"", "10^3", "10^6", "10^9", "10^12"}, 1000, largest);
  if (!recorded_unit.empty())
    unit.name += (unit.name.empty() ? "" : " ") + recorded_unit;
  return unit;
}

Ticks choose_ticks(double low, double high, std::size_t most) {
  if (!(low < high))
    return {};

  const auto least = (high - low) / static_cast<double>(std::max<std::size_t>(most, 1));
  const auto power = std::pow(10, std::floor(std::log10(least)));
  Ticks ticks{10 * power, {}};
  for (double factor : {1, 2, 5})
    if (factor * power >= least * (1 - 1e-9)) {
      ticks.step = factor * power;
      break;
    }

  // A little beyond the ends, since multiples of a step are rounded.
  const auto slack = 1e-6 * ticks.step;
  for (auto k = std::ceil((low - slack) / ticks.step); k * ticks.step <= high + slack; ++k)
    ticks.values.push_back(k == 0 ? 0 : k * ticks.step);

  return ticks;
}

std::vector<std::size_t> choose_whole_ticks(std::size_t count, std::size_t most) {
  if (count <= 1)
    return std::vector<std::size_t>(count, 0);

  std::size_t step = 1;
  const auto ticks = choose_ticks(0, static_cast<double>(count - 1), most);
  step = std::max<std::size_t>(static_cast<std::size_t>(std::llround(ticks.step)), 1);
  std::vector<std::size_t> values;
  for (std::size_t value = 0; value < count; value += step)
    values.push_back(value);

  return values;
}

std::string write_number(double value, double step) {
  const auto digits = std::max(0.0, -std::floor(std::log10(step) + 1e-9));
  return fmt::format("{:.{}f}", value, static_cast<int>(std::min(digits, 12.0)));
}

std::vector<std::string> write_numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (int digits = 3; digits <= 6; ++digits) {
    texts.clear();
    bool are_told_apart = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
      texts.push_back(write_with_digits(values[k], digits));
      are_told_apart &= k == 0 || values[k] == values[k - 1] || texts[k] != texts[k - 1];
    }
    if (are_told_apart)
      break;
  }

  return texts;
}

}  // namespace tracefold
