// Finds the loops among the direct calls of one call.
//
// Each likely marker (loop_markers.hpp) splits the calls in its own way (split_iterations.hpp). The
// worth of a split is the share of time and calls in iterations, times the similarity of the
// iterations. The shortest period that is worth nearly as much as the best one is taken, to avoid
// multiples of a period. Calls before and behind a loop are searched for further loops. Where each
// n-th step does more, the steps are the iterations even if the longer period is worth more
// (loop_steps.hpp).
//
// The confidence of a loop depends on the similarity of its iterations, on how many markers agree
// on their number, and on how much worse the next best period is. It is limited for few iterations,
// since anything may come twice by chance.
//
// Time and memory are linear in the number of calls. Thread-safe and deterministic.
//
// Source: dynamics 3.1; the method is ours.
#pragma once

#include "filters/iterations/call_sequence.hpp"
#include "model/iterations/loops.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The loops with at least three iterations and at least `least_work` (share of the calls' time and
// number), by time, not overlapping. Their paths are empty. Confidence does not consider the loop's
// share of the process.
std::vector<Loop> find_loops_in_call(std::span<const Call> calls, double least_work = 0,
                                     CallKey key = CallKey::function);

}  // namespace tracefold
