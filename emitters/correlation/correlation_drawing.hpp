// The queried view of a correlation and those that it correlates with best, as maps of the grid of
// processes beside each other, with the shifts between them marked, and below each its magnitude
// spectrum.
//
// Source: frequency 4 (figures of correlated views), fig. 1 (spectra).
#pragma once

#include "model/correlation/correlation.hpp"

#include <string>

namespace tracefold {

struct Plan;

// The report has values of views (CorrelationReport::pictures). The first axis of the grid that is
// longer than 1 goes to the right, the second one down, and for each place on all others there is a
// slice of its own. Iterations, where they are an axis, go to the right, and all other axes down,
// the first one slowest. Colours go from the lowest to the highest value of each view; where no
// process is, there is none.
std::string to_svg(const Plan& plan, const CorrelationReport& report);

}  // namespace tracefold
