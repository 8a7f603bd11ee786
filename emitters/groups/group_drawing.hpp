// The groups of a plan on the grid of its ranks: which parts of a program do the same.
//
// Source: signatures figure 4 (topologies, with main and sub-clusters).
#pragma once

#include "emitters/colours.hpp"
#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

struct Plan;

// The colour of the n-th group where each has a hue of its own.
Colour choose_hue(std::size_t group);

// Each place has the colour of the group of its first process. By signature, groups of one main
// cluster are shades of one hue; otherwise each group has a hue of its own, and what a threshold
// has merged in it are shades. `rows` are the plan's processes in the order of a grid.
std::string to_svg(const Plan& plan, const ShownRows& rows);

}  // namespace tracefold
