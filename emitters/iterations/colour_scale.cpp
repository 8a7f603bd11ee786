#include "emitters/iterations/colour_scale.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

constexpr Colour unknown_colour{205, 205, 205};

}  // namespace

ColourScale::ColourScale(ColourScaling scaling, std::vector<double> values) : scaling_(scaling) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty())
    return;

  is_empty_ = false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  low_ = scaling == ColourScaling::from_zero ? std::min(0.0, *least) : *least;
  high_ = *most;
  if (scaling == ColourScaling::equalized) {
    std::sort(values.begin(), values.end());
    sorted_ = std::move(values);
  }
}

std::uint8_t ColourScale::choose_level(double value) const {
  if (std::isnan(value))
    return unknown;
  return static_cast<std::uint8_t>(std::lround(find_share(value) * (levels - 1)));
}

// An equalized value has the share of values that are not above it, stretched so that the smallest
// one has 0.
double ColourScale::find_share(double value) const {
  if (is_flat())
    return 0.5;
  if (scaling_ != ColourScaling::equalized)
    return std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);

  const auto count_up_to = [this](double limit) {
    return static_cast<double>(std::upper_bound(sorted_.begin(), sorted_.end(), limit) -
                               sorted_.begin());
  };
  const auto smallest = count_up_to(low_);
  const auto all = static_cast<double>(sorted_.size());

  return std::clamp((count_up_to(value) - smallest) / (all - smallest), 0.0, 1.0);
}

double ColourScale::find_value(double share) const {
  if (scaling_ != ColourScaling::equalized || is_flat())
    return low_ + share * (high_ - low_);

  const auto found =
      std::lower_bound(sorted_.begin(), sorted_.end(), share,
                       [this](double value, double wanted) { return find_share(value) < wanted; });
  return found == sorted_.end() ? high_ : *found;
}

// The levels are one fewer than the colours: one in the middle is left out.
std::vector<Colour> ColourScale::make_palette() {
  std::vector<Colour> palette(viridis.begin(), viridis.end());
  palette.erase(palette.begin() + levels / 2);
  palette.push_back(unknown_colour);

  return palette;
}

}  // namespace tracefold
