// The medoid of weighted points under Manhattan distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::lattice {

// One point per row; all have the same length. Integers, so that results are exact.
using Points = std::vector<std::vector<std::uint64_t>>;

// The candidate (indexes, ascending) with the smallest sum of Manhattan distances to all points,
// each weighted by `weights[i]`; the lowest index of several. The sum is computed by dimension, in
// O(d n log n). Where there are more than `limit` candidates, only the `limit` nearest to the mean
// are considered, but at least one.
std::size_t find_medoid(const Points& points, const std::vector<std::uint64_t>& weights,
                        const std::vector<std::size_t>& candidates, std::size_t limit = 2000);

}  // namespace tracefold::lattice
