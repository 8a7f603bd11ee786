// Sets of points in time, as lists of intervals: which of two things run at the same time, and when
// none does. Pure functions; each takes time linear in what it is given, but for sorting.
#pragma once

#include "model/iterations/loops.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// Ascending; none is empty, and none touches another one.
using IntervalList = std::vector<Interval>;

// Intervals in any order, which may overlap, touch, or be empty.
IntervalList unite(std::vector<Interval> intervals);
IntervalList intersect(const IntervalList& a, const IntervalList& b);
// All time, from 0 on, that is not in the list.
IntervalList complement(const IntervalList& list);
std::uint64_t sum_lengths(const IntervalList& list);

}  // namespace tracefold
