// Records what processes did in loops that they have only for maps (complete_map_loop.hpp), so that
// the stored file gives the same maps as the original.
//
// Processes that lack a loop of others are searched for it, unless they were before, and those in
// which it is found are read again. Memory: as in program_recorder.hpp, for these processes.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/iterations/align_processes.hpp"
#include "pipeline/iterations/searched_loops.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// One map for each of `loops` loops, the largest number of a process. In a team, each member gets
// the values of its own processes. Throws Error(input).
std::vector<ProgramMap> record_maps(const SeriesPass& pass, const AlignedProcesses& aligned,
                                    std::size_t loops, const AskedIterations& asked,
                                    SearchedLoops* searched);

}  // namespace tracefold
