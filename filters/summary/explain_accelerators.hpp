// Explains losses where hosts and accelerators wait for each other. Pure.
//
// Waiting for an accelerator is a loss only if the host could work meanwhile, and a stream may be
// idle because the host waits for others. So both count as the largest loss only if there is no
// other, or if the host waits much longer than is lost otherwise.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

// Adds to the summary in which call processes wait longest for accelerators and, where known, for
// which kernel. For calls that do other things than waiting, only known waiting counts.
void find_accelerator_waiting(LossSearch& loss);

// Call this when the largest loss has been found. It adds the kernel that the call of the loss
// waits for, or replaces the loss by waiting for accelerators or idle streams.
void take_accelerators(LossSearch& loss);

}  // namespace tracefold
