// Writes the tables that other commands answer with: profiles, iterations, the matrix of messages,
// and messages that are stored. Of a trace that was reduced before they are of all processes of the
// original, as these commands say it. Each takes a session that nothing was asked of yet.
//
// Starts threads. Throws Error(input).
#pragma once

#include "pipeline/export/export_events.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <memory>
#include <vector>

namespace tracefold {

// Adds the call paths of all processes, and returns the functions that these are of. Null: the
// table is not written.
std::vector<Function> export_profile(PlanSession session, const TableOutput* output,
                                     KnownCallPaths& paths);

// What every process did in its iterations, and who waited for whom: of an original from one
// reading. Null where it is not known. The processes are those of the session, in its order.
std::shared_ptr<const StoredProgram> find_program(PlanSession& session);

// Of all loops, with the metrics that have values in them. False where none are known. `program`
// and `session` as find_program() leaves them.
bool export_iterations(PlanSession session, const StoredProgram* program,
                       const TableOutput& output);

// False where messages are not known. `program` may be null.
bool export_matrix(PlanSession session, const StoredProgram* program, const TableOutput& output);

// The messages that a trace keeps of all processes of the original, without times. False where it
// keeps none.
bool export_stored_messages(PlanSession session, const TableOutput& output);

}  // namespace tracefold
