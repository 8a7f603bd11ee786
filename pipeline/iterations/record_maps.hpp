// What processes did in the loops of maps that they have only for the map
// (complete_map_loop.hpp), so that what is stored of all processes gives the same maps as the
// original.
//
// Processes that lack a loop which others have are searched for it, where they were not yet, and
// those in which it is found are read once more. Memory: as in program_recorder.hpp, of these.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/iterations/align_processes.hpp"
#include "pipeline/iterations/collected_calls.hpp"
#include "pipeline/series/series_pass.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// One map for each of so many loops, the most that a process has. Of a team, each member gets the
// values of its own processes. Throws Error(input).
std::vector<ProgramMap> record_maps(const SeriesPass& pass, const AlignedProcesses& aligned,
                                    std::size_t loops, CollectedCalls& calls,
                                    const AskedIterations& asked);

}  // namespace tracefold
