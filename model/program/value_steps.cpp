#include "model/program/value_steps.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <limits>

namespace tracefold {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr auto largest_value = std::numeric_limits<std::uint64_t>::max();

}  // namespace

ValueSteps::ValueSteps(unsigned percent) : percent_(percent) {
  if (percent > most_percent)
    throw Error(ErrorKind::input, fmt::format("values cannot be kept to {} percent, only to {}",
                                              percent, most_percent));
  if (percent == 0)
    return;
  find_values();
  find_first_steps();
}

void ValueSteps::find_values() {
  values_ = {0};
  for (Wide value = 1; value < largest_value;
       value = std::max(value + 1, value * (100 + percent_) / (100 - percent_)))
    values_.push_back(static_cast<std::uint64_t>(value));
  values_.push_back(largest_value);
}

void ValueSteps::find_first_steps() {
  for (std::size_t step = 0; step + 1 < values_.size(); ++step)
    last_values_.push_back(values_[step] + (values_[step + 1] - values_[step]) / 2);
  last_values_.push_back(largest_value);

  std::uint16_t step = 0;
  const auto add_bucket = [&](std::uint64_t smallest) {
    while (smallest > last_values_[step])
      ++step;
    first_steps_.push_back(step);
  };
  constexpr std::uint64_t half = std::uint64_t{1} << (leading_bits - 1);
  for (std::uint64_t value = 0; value < half; ++value)
    add_bucket(value);
  for (int shift = 0; shift <= 64 - leading_bits; ++shift)
    for (std::uint64_t leading = half; leading < 2 * half; ++leading)
      add_bucket(leading << shift);
}

void ValueSteps::refuse_step(std::uint64_t step) {
  throw Error(ErrorKind::input, fmt::format("there is no step {} of values", step));
}

}  // namespace tracefold
