// Whose messages are slow, and along which chain processes wait for each other: whom gains of the
// network, and of the order of work, name. Pure.
//
// Source: docs/science.md, Playing a run.
#pragma once

#include "pipeline/replay/replay.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// One that has slow messages with many, two with each other, or at most half of so many processes
// among each other, ascending; empty where it is none of these. `transfers`: Replay::sum_transfers.
std::vector<std::size_t> find_slow_ends(const Replay::OfPairs& transfers, std::size_t processes);

// The chain that has most of this waiting, from the first one; empty where there is none. Where all
// wait for each other both ways, and for long, work goes along it to and fro: the way back has more
// waiting.
std::vector<std::size_t> find_late_chain(const Replay::OfPairs& waits, std::size_t processes,
                                         bool is_long);

}  // namespace tracefold
