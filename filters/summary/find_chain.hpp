// Finds chains of processes in which each waits for the one before. Pure.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tracefold {

// The longest chain of these pairs without repeated processes, from its beginning. The search ends
// after 20,000 steps, and then returns the longest one so far.
std::vector<std::size_t> find_chain(const std::vector<std::pair<std::size_t, std::size_t>>& pairs);

}  // namespace tracefold
