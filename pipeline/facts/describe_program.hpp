// What definitions say about the processes of a program, for tracefold.profiles. Thread-safe.
#pragma once

#include "model/program/program_profiles.hpp"
#include "otf2/definitions.hpp"

#include <vector>

namespace tracefold {

struct Plan;

// The processes of a plan: their types, where they ran, and the metrics of those without calls.
// Times are not filled in.
std::vector<ProgramProcess> describe_program(const Definitions& definitions, const Plan& plan);

// The Cartesian topologies of the trace, with the places of the plan's processes. All locations of
// a rank are at its place, unless the topology has places of their own. Coordinates outside of the
// topology and repeated ones are left out, and so are topologies beyond the limit
// (most_stored_places).
std::vector<ProgramTopology> describe_topologies(const Definitions& definitions, const Plan& plan);

}  // namespace tracefold
