// Where the locations of a program are: what names of groups are told by (filters/groups/
// name_groups.hpp), from the definitions of its trace or, where that was reduced before, from what
// is kept beside it of the original. No events are read. Thread-safe.
#pragma once

#include "filters/groups/name_groups.hpp"
#include "otf2/archive.hpp"

namespace tracefold {

struct WholeProgram;

// Of the processes of a plan that was made of this archive, or of the whole program that is beside
// it (null: it is not), which is the plan's then. Grids are those of the Cartesian topologies of
// MPI that have a place for each rank, as they are defined, and the plan's. What is not known is
// left out: where nothing tells all processes of an original, there are no places at all.
ProgramPlaces find_program_places(const Archive& archive, const Plan& plan,
                                  const WholeProgram* program = nullptr);

// The grid that was proposed when a trace was reduced before (Plan::grid).
std::vector<GridAxis> read_stored_grid(const Archive& archive);

}  // namespace tracefold
