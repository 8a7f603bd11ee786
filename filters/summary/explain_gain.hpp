// What the run gains most from, if it was changed: who takes too long, where, and how much that
// costs. Pure.
#pragma once

#include "filters/summary/long_iterations.hpp"
#include "filters/summary/loss_search.hpp"

namespace tracefold {

// The gain that is told first: the largest of what people can change; that of the network only
// where it is twice as large. Null: none is known.
const Gain* choose_gain(const Summary& summary);

// Makes it the finding.
void explain_gain(LossSearch& loss, const Gain& gain);

// Adds to the finding which iterations are long, and how long.
void take_long(LossSearch& loss, const LongIterations& iterations);

}  // namespace tracefold
