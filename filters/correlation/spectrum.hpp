// The magnitude spectrum of a view, as it is drawn: how much of it varies how often along each
// axis.
//
// |V(k)| / N of the view less its mean, N being the number of points: in the unit of the values.
// Holes of a sparse grid count as the mean. By frequency k, row by row as points are, from 0 to
// below the size of each axis; the second half of an axis has the negative frequencies. Empty where
// it would take long. Pure.
//
// Source: frequency 2 and fig. 1.
#pragma once

#include "filters/correlation/grid.hpp"

#include <vector>

namespace tracefold::correlation {

// `values` are by point; NaN where the grid has none.
std::vector<double> find_magnitudes(const Grid& grid, const std::vector<double>& values);

}  // namespace tracefold::correlation
