// iterations: the calls of one call in, the loops among them out.
//
// Of all anchors the one counts whose loop takes the most time and has the most
// similar iterations; a shorter period wins where it explains nearly as much,
// so that neither multiples of a period nor what is done each tenth step count as
// the loop. What is before and after a loop is searched for further ones.
// Linear in the number of calls. Thread-safe, deterministic.
//
// Source: dynamics 3.1; the method is ours.
#pragma once

#include "filters/iterations/anchor.hpp"

#include <span>
#include <vector>

namespace tracefold {

// Loops of at least four iterations and `least` ticks, by time, apart; without
// their path.
std::vector<Loop> find_loops(std::span<const Call> calls, std::uint64_t least);

}  // namespace tracefold
