#include "emitters/show_numbers.hpp"

#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tracefold {

std::string show_similarity(double value) {
  constexpr double rounding_error = 1e-9;
  if (value >= 1 - rounding_error)
    return "1.00";

  return fmt::format("{:.2f}", std::min(value, 0.99));
}

std::string show_percent(double share) {
  const auto percent = 100 * share;
  const bool is_nearly_all = percent >= 99.5 && percent < 99.95;
  return (percent < 9.95 && percent > 0) || is_nearly_all ? fmt::format("{:.1f} %", percent)
                                                          : fmt::format("{:.0f} %", percent);
}

std::string show_growth(double a, double b) {
  constexpr double least_factor = 11;
  if (b / a >= least_factor)
    return fmt::format("x{:.0f}", b / a);
  const auto percent = 100 * (b / a - 1);
  if (std::abs(percent) < 0.05)
    return "0.0 %";
  return b > 0 && percent < -99.95 ? "<-99.9 %" : fmt::format("{:+.1f} %", percent);
}

std::string show_count(std::uint64_t n) {
  return text_layout().groups_digits ? group_digits(n) : std::to_string(n);
}

std::string format_time(const Plan& plan, std::uint64_t ticks) {
  return ticks == 0 ? "0" : format_seconds(to_seconds(plan, ticks));
}

std::string format_seconds(double seconds) {
  if (seconds == 0)
    return "0";

  const char* units[] = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  auto value = seconds;
  for (; value < 0.9995 && unit + 1 < std::size(units); ++unit)
    value *= 1000;

  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

}  // namespace tracefold
