// Optimal assignment. Pure.
//
// Source: Kuhn (1955), Munkres (1957); here by shortest augmenting paths, Jonker, Volgenant (1987).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// By row the column that it gets, each column once, so that the sum of the values is largest. All
// rows are as long; a value of 0 or less is as good as none. Takes O(n² m) for the smaller number n
// and the larger m of both.
std::vector<std::optional<std::size_t>> assign(const std::vector<std::vector<double>>& values);

}  // namespace tracefold
