// An order in which what is alike stands side by side, for rows and columns of a table of
// similarities.
//
// The two most similar clusters are merged again and again; the similarity of clusters is the mean
// of that of their members (average linkage). Where two are merged, each is turned so that the ends
// that meet are the most alike. Deterministic: of equals the first.
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

// `similarity` is square and symmetric. A permutation of its rows; the end with the lower number
// comes first.
std::vector<std::size_t> order_similar(const std::vector<std::vector<double>>& similarity);

// Those with most members, at most so many: ascending. Of equals the first.
std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& members,
                                        std::size_t most);

}  // namespace tracefold
