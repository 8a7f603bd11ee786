// Makes the `messages` section of what was recorded: main clusters with one sequence each, and
// columns over their ranks. Pure.
//
// Source: signatures 3.3 (traces merged over ranks, parameters relative or filtered).
#pragma once

#include "model/messages/messages.hpp"

namespace tracefold {

// Ranks that MPI does not number and ranks that were not read whole leave the section
// incomplete.
Messages fold_messages(const Communication& communication);

}  // namespace tracefold
