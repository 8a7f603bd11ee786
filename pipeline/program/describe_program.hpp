// What definitions tell of the processes of a program, for tracefold.profiles. Thread-safe.
#pragma once

#include "model/program/program_profiles.hpp"
#include "otf2/definitions.hpp"

#include <vector>

namespace tracefold {

struct Plan;

// The processes of a plan: their types, where they ran, and what metrics those record that call
// nothing. Their times are still to be filled in.
std::vector<ProgramProcess> describe_program(const Definitions& definitions, const Plan& plan);

// The Cartesian topologies that are defined, with the places of the processes of a plan. All
// locations of a rank are where it is, unless the topology has places of their own for them.
// Coordinates that are outside of their topology are left out, and so are what comes second and
// topologies that have no room beside those before them (most_stored_places).
std::vector<ProgramTopology> describe_topologies(const Definitions& definitions, const Plan& plan);

}  // namespace tracefold
