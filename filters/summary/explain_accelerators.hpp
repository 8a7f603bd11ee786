// What is lost where host and accelerator wait for each other. Pure.
//
// That a host waits for its accelerator is a loss only as far as it could work meanwhile, and a
// stream may be idle since the host waits for others. So both are the largest loss where nothing
// else is, or where the host waits for by far longer than is lost otherwise.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

// Puts into the summary in which call processes wait for accelerators longest, and, where that is
// known, for which kernel. Of calls that may do other things than wait, only what is known to be
// waiting counts.
void find_accelerator_waiting(LossSearch& loss);

// Call it when the largest loss is found: names the kernel that its call waits for, or puts waiting
// for accelerators, or idle streams, in its place.
void take_accelerators(LossSearch& loss);

}  // namespace tracefold
