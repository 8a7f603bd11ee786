// Which processes wait or compute longer than others, by what they call: views of 0 and 1
// (filters/correlation/call_structure.hpp) against how long processes wait in all, and how long
// they are outside of MPI. Nothing is shifted, and chance is that of all these views together.
//
// What was found does not depend on the number of threads, nor on the memory limit.
//
// Sources: frequency 3; structural V.
#pragma once

#include "pipeline/correlation/trace_correlation.hpp"

#include <optional>
#include <vector>

namespace tracefold {

// By |r|, those that luck makes more likely than `most_chance` left out. Reads the views of waiting
// and of execution time that there are.
std::vector<StructureFinding> explain_by_structure(const CorrelatedTrace& correlated,
                                                   const TraceCorrelation& trace,
                                                   std::optional<double> most_chance);

}  // namespace tracefold
