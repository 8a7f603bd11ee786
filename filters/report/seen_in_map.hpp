// Whether a map of iterations and processes shows what a run loses: whom it is of differ from all
// others, or its iterations from the others, so that somebody sees it in the picture.
//
// `least` is by how much at least the mean value has to differ, in the values of the map. One pass
// over the values. Pure. Thread-safe.
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The mean of each of `who` (indexes of the plan's processes, ascending) is larger than that of
// every other row, or smaller, by at least a tenth of the larger one. False where some have no row,
// or nobody else has one.
bool shows_processes(const IterationMap& map, const std::vector<std::size_t>& who, double least);

// The same of the mean of the iterations from `first` to `last` and of that of the others, over the
// rows of `who`, or over all where these are none. False where there are no others.
bool shows_iterations(const IterationMap& map, const std::vector<std::size_t>& who,
                      std::size_t first, std::size_t last, double least);

}  // namespace tracefold
