// The part of a map that shows some iterations of its loop.
//
// Where iterations share columns, whole columns stay. Exact sums stay as far as they are of single
// columns. Pure. Thread-safe.
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <cstdint>
#include <utility>

namespace tracefold {

struct Plan;

// From the first number to the last one, as iterations of the plan are numbered. Throws
// Error(usage) where the loop has none of them.
IterationMap cut_map(const Plan& plan, const IterationMap& map,
                     const std::pair<std::uint64_t, std::uint64_t>& numbers);
ComparedMap cut_map(const Plan& plan, const ComparedMap& maps,
                    const std::pair<std::uint64_t, std::uint64_t>& numbers);

}  // namespace tracefold
