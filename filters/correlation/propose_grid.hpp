// Proposes the grid that the processes of a program form, by who sends to whom.
//
// In a grid whose last axis is the fastest, the neighbours along an axis are a fixed number of
// ranks apart, and most ranks have one there. Distances of that kind that divide each other and the
// number of ranks may be the strides of the axes. Among all grids with such strides in which most
// neighbours along the axes send to each other, the one is proposed that explains most pairs of
// sender and receiver. Where all send to all, no grid is proposed. Pure.
#pragma once

#include "model/groups/rank_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tracefold::correlation {

// Senders and receivers of messages, by rank.
using Neighbours = std::set<std::pair<std::uint64_t, std::uint64_t>>;

// The axes, the slowest first, periodic where the last ranks send to the first ones; one axis of
// all ranks where there is no such grid.
std::vector<GridAxis> propose_grid(std::size_t ranks, const Neighbours& neighbours);

}  // namespace tracefold::correlation
