// How work grows with the number of ranks or threads. Pure.
#pragma once

#include <cmath>
#include <cstdint>

namespace tracefold {

enum class Scaling : std::uint8_t {
  strong,  // all together do as much as before
  weak     // each does as much as before
};

constexpr const char* to_text(Scaling scaling) {
  return scaling == Scaling::strong ? "strong" : "weak";
}

// Which of both it is, where `more` times as many compute `work` times as long in all, as work
// tells: of 4 times as many, weak from twice the work on.
inline Scaling guess_scaling(double more, double work) {
  const bool is_weak = std::abs(std::log(work / more)) < std::abs(std::log(work));
  return is_weak ? Scaling::weak : Scaling::strong;
}

}  // namespace tracefold
