// Finds the loops among the calls that one open call made.
//
// Every likely marker (loop_markers.hpp) splits the calls in its way (split_iterations.hpp).
// The split counts whose loop takes the most time and has the most similar iterations. A
// shorter period wins if it explains nearly as much, so that neither multiples of a period nor
// what is done in each tenth step count as the loop. The calls before and behind a loop are
// searched for further ones.
//
// Another way to find loops, for instance among the children of one call in a call tree, would
// stand beside this file: what follows needs only `Loop`s.
//
// Time and memory are linear in the number of calls. Thread-safe, deterministic.
//
// Source: dynamics 3.1; the method is ours.
#pragma once

#include "model/iterations/loops.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// Loops of at least four iterations and `least_ticks`, by time, without overlap. Their paths
// are left empty.
std::vector<Loop> find_loops(std::span<const Call> calls, std::uint64_t least_ticks);

}  // namespace tracefold
