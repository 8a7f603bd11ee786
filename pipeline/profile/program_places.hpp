// Where the locations of a program are, from which groups are named (filters/groups/
// name_groups.hpp): from the definitions of the trace or, if it was reduced before, from what is
// stored beside it about the original. No events are read. Thread-safe.
#pragma once

#include "filters/groups/name_groups.hpp"
#include "otf2/archive.hpp"

namespace tracefold {

struct WholeProgram;

// For the processes of a plan that was made for this archive. `program` is the whole program that
// is stored beside a reduced trace, or null; if given, the plan must be its. Grids are the plan's,
// and those of the Cartesian topologies of MPI that have a place for each rank. What is not known
// is left out: if nothing tells all processes of an original, there are no places at all.
ProgramPlaces find_program_places(const Archive& archive, const Plan& plan,
                                  const WholeProgram* program = nullptr);

// The grid that was proposed when a trace was reduced before (Plan::grid).
std::vector<GridAxis> read_stored_grid(const Archive& archive);

}  // namespace tracefold
