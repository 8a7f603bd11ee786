// The queried view of a correlation and the one that it correlates with best, as two maps of the
// grid of processes beside each other, with the shift between them marked.
//
// Source: frequency 4 (figures of correlated views).
#pragma once

#include "model/correlation/correlation.hpp"

#include <string>

namespace tracefold {

struct Plan;

// The report has values of views (CorrelationReport::pictures). Rows and columns of a map are the
// two axes of the grid that are longer than 1; of more than two axes the last one is the columns,
// and all others are the rows, the first one slowest. Colours go from the lowest to the highest
// value of each view; where no process is, there is none.
std::string to_svg(const Plan& plan, const CorrelationReport& report);

}  // namespace tracefold
