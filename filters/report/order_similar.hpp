// Orders the rows and columns of a table of similarities so that similar ones are next to each
// other.
//
// The two most similar clusters are merged repeatedly; the similarity of clusters is the mean over
// their members (average linkage). When two are merged, they are turned so that the adjacent ends
// are the most similar ones. Deterministic: of equal ones the first is taken.
//
// O(n²) time and 8·n² bytes. Pure. Thread-safe.
//
// Source: structural VIII.A (the table of groups); Müllner: Modern hierarchical, agglomerative
// clustering algorithms (2011), of which this is the chain of nearest neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// `similarity` is square and symmetric. Returns a permutation of its rows; of both ends, that with
// the lower number comes first.
std::vector<std::size_t> order_similar(const std::vector<std::vector<double>>& similarity);

// The groups with most members, at most `most`, ascending. Of equal ones the first are taken.
std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& members,
                                        std::size_t most);

}  // namespace tracefold
