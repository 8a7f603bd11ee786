// reduce --like: what is taken from another run, and where its iterations do not fit.
//
// Groups and representatives are filters/groups/group_like.hpp, and which iterations stay is
// choose_same_iterations() (filters/iterations/cluster_iterations.hpp).
#pragma once

#include "model/like_run.hpp"
#include "model/program/program_file.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <string>

namespace tracefold {

// A reduced trace, or a plan of one. What the processes that were left out did is read from
// tracefold.profiles beside it; where that is not there, only the kept processes are known, and a
// note says so. Throws Error(input), also where the file is none of these, and Error(usage) where
// the plan has no groups.
LikeRun read_like_run(const std::string& file, const Context& context);

// The options that groups of a plan were made by.
GroupOptions list_grouping(const Plan& plan);

// Folds the loops of the other run, in a plan that has its groups. Where none of them is found,
// they are looked for by where the first one's iterations begin. Adds to the plan's section `like`
// what does not fit. Throws what fold_plan() does.
void fold_like(PlanSession& session, const LikeRun& run, RecordProgram record);

}  // namespace tracefold
