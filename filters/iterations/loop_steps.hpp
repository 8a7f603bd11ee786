// Distinguishes steps, of which each n-th does more, from passes of an inner loop.
//
//     calls   A b c  A b c  A x b c  A b c  A b c  A x b c      steps: x is inside of one
//     calls   A b c  A b c  x  A b c  A b c  A b c  x  A b c    steps: the first x comes early
//     calls   A b c  A b c  A b c  x  A b c  A b c  A b c  x    an inner loop, x is behind it
//
// In each row, a longer period has three calls of A and one x, and is more regular than a period of
// one A. After an inner loop, x comes only when all passes are done, also the first time. So these
// are the steps of one loop if the first row of steps without x is shorter than the others, or if
// each step begins and ends like the others.
//
// Thread-safe, deterministic. Time is linear in the number of iterations, but for sorting.
//
// Source: the method is ours; dynamics 3.1 (iterations are passes of the main loop's body).
#pragma once

#include "filters/iterations/split_iterations.hpp"

#include <optional>

namespace tracefold {

// Whether the iterations of `split` are such steps, with the same number, at least two, in each
// iteration of `longer`. False if `longer` has calls before or behind these steps.
bool are_steps_of(const CallSequence& sequence, const LoopSplit& split, const LoopSplit& longer);

// The loop around these iterations, if it is seen. Each of its iterations ends with the same calls,
// after as many of these iterations as need be: not after the same number each time, or after few.
// The output of a program comes after each n-th step, and before the first.
std::optional<LoopSplit> find_outer_loop(const CallSequence& sequence, const LoopSplit& split);

}  // namespace tracefold
