// Optimal assignment. Pure.
//
// Source: Kuhn (1955), Munkres (1957); here by shortest augmenting paths, Jonker, Volgenant (1987).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// Assigns columns to rows, each at most once, so that the sum of values is largest. Returns the
// column of each row. All rows have the same length; values of 0 or less are never assigned. Takes
// O(n² m), where n is the smaller and m the larger dimension.
std::vector<std::optional<std::size_t>> assign(const std::vector<std::vector<double>>& values);

}  // namespace tracefold
