// Chooses how many processes of each group are kept, so that the error of processes is small enough
// (model/errors/accuracy.hpp). The number of clusters of iterations is chosen where these are
// folded (FoldOptions::accuracy).
//
// Reads all processes twice, as recording them does: for times of waiting, and for the others.
#pragma once

#include "model/errors/accuracy.hpp"
#include "model/plan_options.hpp"
#include "pipeline/reduce/plan_session.hpp"

namespace tracefold {

// The selection with the least number of processes per group that is accurate enough, of a plan
// that has groups; where none is, the one that exceeds it least, and a warning says so. Throws
// Error(usage) where the trace was reduced before, or the plan has no groups; Error(input).
Selection choose_per_group(PlanSession& session, Selection selection, const Accuracy& accuracy);

}  // namespace tracefold
