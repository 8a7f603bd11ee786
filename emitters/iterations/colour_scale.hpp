// Which colour a value of a map has. Immutable, safe from any thread.
//
// Source: dynamics 3.1 (colouring modes of value maps) and 3.3.1 (histogram-equalized maps).
#pragma once

#include "emitters/colours.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

enum class ColourScaling {
  linear,     // from the smallest value to the largest
  from_zero,  // from 0 to the largest value
  equalized   // each colour for about as many values: the most contrast
};

class ColourScale {
 public:
  // Levels of values, ascending from 0, and the one of what is not a number.
  static constexpr std::size_t levels = 255;
  static constexpr std::uint8_t unknown = 255;

  // A scale for these values; those that are not a number do not count. An equalized scale keeps a
  // copy of the values.
  ColourScale(ColourScaling scaling, std::vector<double> values);

  // The smallest value has level 0, the largest the last one; where they are equal, all have the
  // level in the middle.
  std::uint8_t choose_level(double value) const;

  // The value at a share of the scale, from 0 to 1.
  double find_value(double share) const;

  double low() const { return low_; }
  double high() const { return high_; }
  bool is_even() const { return scaling_ != ColourScaling::equalized; }
  bool is_empty() const { return is_empty_; }       // there are no values
  bool is_flat() const { return !(low_ < high_); }  // nor two different ones

  // The colour of each level.
  static std::vector<Colour> make_palette();

 private:
  double find_share(double value) const;

  ColourScaling scaling_;
  double low_ = 0, high_ = 0;
  bool is_empty_ = true;
  std::vector<double> sorted_;  // of equalized scales
};

}  // namespace tracefold
