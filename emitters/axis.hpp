// Axes of drawings: round numbers, and units in which they are short. Pure functions.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// A unit of a metric, and how many of what maps hold (ticks, bytes, events) are one of it.
struct AxisUnit {
  std::string name;  // empty for plain numbers
  double size = 1;
};

// In which the largest value has few digits.
AxisUnit choose_unit(const Plan& plan, MetricKind kind, double largest,
                     const std::string& recorded_unit = {});

// Multiples of 1, 2 or 5 times a power of ten between two values, both included, ascending, and at
// most about so many. Empty where `low` is not below `high`.
struct Ticks {
  double step = 1;
  std::vector<double> values;
};
Ticks choose_ticks(double low, double high, std::size_t most);
// The same of whole numbers from 0 to below `count`.
std::vector<std::size_t> choose_whole_ticks(std::size_t count, std::size_t most);

// With the digits that tell values this far apart.
std::string write_number(double value, double step);
// With three digits that count, or more where values that differ would look alike, up to six.
std::vector<std::string> write_numbers(const std::vector<double>& values);

}  // namespace tracefold
