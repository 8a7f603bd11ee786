// Whether a map of iterations and processes visibly shows a loss: its processes differ from all
// others, or its iterations from the others.
//
// `least` is the smallest difference of mean values that counts, in the unit of the map. One pass
// over the values. Pure. Thread-safe.
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Whether the mean of each process of `who` (ascending indexes of the plan) is larger than that of
// every other row, or smaller than every other, by at least a tenth of the larger one. False where
// one of them has no row, or there are no others.
bool shows_processes(const IterationMap& map, const std::vector<std::size_t>& who, double least);

// The same for the mean of the iterations from `first` to `last` and that of all others, over the
// rows of `who`, or over all rows where none of them has one. False where there are no others.
bool shows_iterations(const IterationMap& map, const std::vector<std::size_t>& who,
                      std::size_t first, std::size_t last, double least);

}  // namespace tracefold
