// Tells steps, of which every so-manieth does more, from passes of an inner loop.
//
//     calls      A b c  A b c  A x b c  A b c  A b c  A x b c        steps: x is in the midst of
//     two calls      A b c  A b c  x  A b c  A b c  A b c  x  A b c      steps: the first x comes
//     early calls      A b c  A b c  A b c  x  A b c  A b c  A b c  x      an inner loop, x behind
//     it
//
// In all of them A is called three times in a longer period, which is more regular, since each of
// its iterations has an x. What comes behind an inner loop comes after all of its passes, also the
// first time. Where the first row of steps without it is shorter than the others, or where each
// step begins and ends as the others do, these are the steps of one loop.
//
// Thread-safe, deterministic. Time is linear in the number of iterations, but for sorting.
//
// Source: the method is ours; dynamics 3.1 (iterations are passes of the main loop's body).
#pragma once

#include "filters/iterations/split_iterations.hpp"

namespace tracefold {

// Whether the iterations of a split are steps in this sense, of which each iteration of `longer`
// holds as many, at least two. False if `longer` has calls before or behind these steps.
bool are_steps_of(const CallSequence& sequence, const LoopSplit& split, const LoopSplit& longer);

}  // namespace tracefold
