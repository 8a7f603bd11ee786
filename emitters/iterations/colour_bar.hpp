// What the colours of a drawing stand for: all of them in an upright bar, the lowest one below,
// with values on the right side of it and their unit above. Pure.
#pragma once

#include "emitters/axis.hpp"
#include "emitters/iterations/colour_scale.hpp"
#include "emitters/svg.hpp"

#include <string>

namespace tracefold {

// The scale is not empty; values are written in `unit`.
std::string draw_colour_bar(const Box& bar, const ColourScale& scale, const AxisUnit& unit);

}  // namespace tracefold
