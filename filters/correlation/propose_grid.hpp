// Which grid the processes of a program form, told from who sends to whom.
//
// In a grid whose last axis is the fastest, the neighbours along an axis are a fixed number of
// ranks apart, and most ranks have one there. Such distances that divide each other and the number
// of ranks may be the strides of the axes. Of all grids with such strides in which most neighbours
// along the axes talk to each other, the one counts that explains the most pairs that do. Where
// all talk to all, there is no grid to be seen. Pure.
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
