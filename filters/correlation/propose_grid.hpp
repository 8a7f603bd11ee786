// Proposes the grid that the processes of a program form, by who sends to whom.
//
// In a grid whose last axis is the fastest, the neighbours along an axis are a fixed number of
// ranks apart, and most ranks have one there. Distances of that kind that divide each other and the
// number of ranks may be the strides of the axes. Among all grids with such strides in which most
// neighbours along the axes send to each other, the one is proposed that explains most pairs of
// sender and receiver. Where all send to all, no grid is proposed. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tracefold::correlation {

struct ProposedAxis {
  std::size_t size = 1;
  bool periodic = false;  // the last ones send to the first ones

  bool operator==(const ProposedAxis&) const = default;
};

// Senders and receivers of messages, by rank.
using Neighbours = std::set<std::pair<std::uint64_t, std::uint64_t>>;

// The axes, the slowest first; one axis of all ranks where there is no such grid.
std::vector<ProposedAxis> propose_grid(std::size_t ranks, const Neighbours& neighbours);

}  // namespace tracefold::correlation
