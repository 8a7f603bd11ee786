// Chains of processes, each of which waits for the one before. Pure.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tracefold {

// The longest chain that these pairs form, in which no process comes twice; from its begin on.
// Where there are very many ways, the longest of the first 20,000 steps.
std::vector<std::size_t> find_chain(const std::vector<std::pair<std::size_t, std::size_t>>& pairs);

}  // namespace tracefold
