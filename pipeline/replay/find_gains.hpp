// What would be gained in a part of a run if something was changed: the run is played with that,
// and what it takes less is the gain. Tried are
//
// * functions: each process that is longer in one than the median of all is in it as long as that,
//   in each iteration; where most are hardly in it, as long as all are on average;
// * files, which cost nothing;
// * the network, which costs nothing.
//
// A change gains at most what it takes away from the critical path; the functions with the largest
// of these bounds are played. Gains overlap, and have no sum.
//
// Pure. Memory: that of replay.hpp, 8 bytes for each process and function, and 8 for each process
// and iteration of three functions; beyond 8 million of these, iterations are not told apart.
#pragma once

#include "model/program/program_profiles.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/replay/replay.hpp"

#include <vector>

namespace tracefold {

// What a call path is, numbered as PathFactors has them.
struct PlayedPath {
  FunctionIndex function = 0;
  bool computes = false;  // neither MPI, nor files, nor OpenMP's own time
  bool is_of_files = false;
};

// Descending, without those below least_gain of the runtime. `played` has the rest of what is
// known.
std::vector<ProgramGain> find_gains(const Replay& replay, const Replay::Part& part,
                                    const std::vector<PlayedPath>& paths,
                                    const ProgramReplay& played);

inline constexpr double least_gain = 0.02;

}  // namespace tracefold
