// Finds the loops among the calls that one open call made.
//
// Every likely marker (loop_markers.hpp) splits the calls in its way (split_iterations.hpp).
// Splits are compared by their worth: the share of the time and of the calls that is in
// iterations, times how similar these are. The shortest period that is worth nearly as much as
// the best one counts, so that no multiples of a period are taken. The calls before and behind a
// loop are searched for further ones. Steps of which every so-manieth does more are iterations
// also where the longer period is worth more (loop_steps.hpp).
//
// How sure a loop is: how similar its iterations are, how many of the markers agree on their
// number, and how far the next best period is behind. Few iterations are never quite sure, since
// anything comes twice by chance.
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

// Loops of at least three iterations and `least_work`, a share of the calls' time and number, by
// time, without overlap. Their paths are left empty. `by_partner`: see CallSequence. Confidence
// does not know how much of the process a loop is.
std::vector<Loop> find_loops_in_call(std::span<const Call> calls, double least_work = 0,
                                     bool by_partner = false);

}  // namespace tracefold
