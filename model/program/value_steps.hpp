// Rounds whole numbers to steps with a limited relative error, so that they pack well. The value
// c(k) of step k is defined by integers alone, so that all machines agree; p is the percentage:
//
//   c(0) = 0, c(1) = 1, c(k+1) = max(c(k) + 1, floor(c(k) * (100 + p) / (100 - p))), c(last) =
//   2^64-1
//
// Small numbers, and with p = 0 all numbers, are their own steps; only 0 becomes 0. The middle
// between two neighbouring values is at most p percent away from both.
//
// Immutable and thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tracefold {

class ValueSteps {
 public:
  static constexpr unsigned most_percent = 50;

  // A value differs from that of its step by at most this percentage. Throws Error(input) for more
  // than `most_percent`.
  explicit ValueSteps(unsigned percent);

  unsigned percent() const { return percent_; }

  // The nearest step; the lower one where two are equally near.
  std::uint64_t find_step(std::uint64_t value) const {
    if (percent_ == 0)
      return value;
    std::uint64_t step = first_steps_[find_bucket(value)];
    while (value > last_values_[step])
      ++step;
    return step;
  }

  // Throws Error(input) where the step does not exist.
  std::uint64_t find_value(std::uint64_t step) const {
    if (percent_ == 0)
      return step;
    if (step >= values_.size())
      refuse_step(step);
    return values_[step];
  }

 private:
  // The leading eight bits of a value and the number of bits behind them, as a number that grows
  // with the value.
  static std::size_t find_bucket(std::uint64_t value) {
    const int shift =
        std::max(static_cast<int>(std::bit_width(value)), leading_bits) - leading_bits;
    return (static_cast<std::size_t>(shift) << (leading_bits - 1)) +
           static_cast<std::size_t>(value >> shift);
  }

  void find_values();
  void find_first_steps();
  [[noreturn]] static void refuse_step(std::uint64_t step);

  static constexpr int leading_bits = 8;

  unsigned percent_;
  std::vector<std::uint64_t> values_;       // by step
  std::vector<std::uint64_t> last_values_;  // by step: the largest value that is rounded to it
  std::vector<std::uint16_t> first_steps_;  // by bucket: the step of its smallest value
};

}  // namespace tracefold
