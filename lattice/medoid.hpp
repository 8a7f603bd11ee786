// The medoid of weighted points under Manhattan distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::lattice {

// One point per row, all of one length. Integers, so that the answer is exact.
using Points = std::vector<std::vector<std::uint64_t>>;

// Index, out of `candidates` (ascending), of the point with the smallest sum
// of Manhattan distances to all points, each counted `weights[i]` times; ties
// to the lowest index. The sum splits by dimension, so it takes O(d n log n).
// Where there are more than `limit` candidates, only the `limit` nearest to the mean are looked at,
// but at least one.
std::size_t find_medoid(const Points& points, const std::vector<std::uint64_t>& weights,
                        const std::vector<std::size_t>& candidates, std::size_t limit = 2000);

}  // namespace tracefold::lattice
