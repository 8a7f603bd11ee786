// The whole run on one screen, in SVG 1.1: a row for each group of processes, a column for each
// kind of iteration, and in each cell a box plot of the values of the group's processes in these
// iterations, and how far folding is from them. All boxes have one axis, from zero. Cells are the
// darker, the weaker the fold is there.
//
// Where there are many groups or kinds, those with most processes or iterations are drawn, and a
// line tells how many others there are.
#pragma once

#include "model/iterations/group_kinds.hpp"
#include "model/iterations/iteration_map.hpp"

#include <string>

namespace tracefold {

struct Plan;

// `map` is that of the values: its metric and loop.
std::string kinds_to_svg(const Plan& plan, const GroupKinds& kinds, const IterationMap& map);

}  // namespace tracefold
