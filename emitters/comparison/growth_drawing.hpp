// How call paths grow with the number of ranks, as a drawing: their times as marks, what was fitted
// as lines up to twice the ranks of the largest run, both axes logarithmic. Pure.
#pragma once

#include "model/comparison/growth.hpp"

#include <string>

namespace tracefold {

// The run and those that grow worst.
std::string to_svg(const GrowthTable& table);

}  // namespace tracefold
