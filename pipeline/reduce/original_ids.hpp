// The ids of locations by which tables name the processes of a reduced trace: those of the
// original.
#pragma once

namespace tracefold {

class PlanSession;

// Where the plan is of what a reduced trace keeps, and not of all processes of the original, its
// processes get the ids that they have in the first original. Nothing can be read by it any more.
// Throws Error(input).
void take_original_ids(PlanSession& opened);

}  // namespace tracefold
