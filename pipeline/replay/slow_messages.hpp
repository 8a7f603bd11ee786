// Whose messages are slow, and along which chain processes wait for each other: whom gains of the
// network, and of the order of work, name. Pure.
//
// Source: docs/science.md, Playing a run.
#pragma once

#include "pipeline/replay/replay.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// `gain`: ticks that a network that costs nothing would gain. The fewest processes of which each
// slow call has one, as its own or as one whose messages it had, ascending; both of two between
// whom messages are slow. Empty where calls of more than half of so many processes are slow, but
// not since all of these have messages of a single one, and where others are not far faster.
std::vector<std::size_t> find_slow_ends(const Replay::Transfers& transfers, std::size_t processes,
                                        std::uint64_t gain);

// The chain that has most of this waiting, from the first one; empty where there is none. Where all
// wait for each other both ways, and for long, work goes along it to and fro: the way back has more
// waiting.
std::vector<std::size_t> find_late_chain(const Replay::OfPairs& waits, std::size_t processes,
                                         bool is_long);

}  // namespace tracefold
