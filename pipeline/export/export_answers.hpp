// Writes the tables that other commands answer with: profiles, iterations and the matrix of
// messages. Of a trace that was reduced before they are of all processes of the original, as these
// commands say it. Each takes a session that nothing was asked of yet.
//
// Starts threads. Throws Error(input).
#pragma once

#include "pipeline/export/export_events.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <vector>

namespace tracefold {

// Adds the call paths of all processes, and returns the functions that these are of. Null: the
// table is not written.
std::vector<Function> export_profile(PlanSession session, const TableOutput* output,
                                     KnownCallPaths& paths);

// Of all loops, with the metrics that have values in them. False where none are known.
bool export_iterations(PlanSession session, const TableOutput& output);

// False where messages are not known.
bool export_matrix(PlanSession session, const TableOutput& output);

}  // namespace tracefold
