// What would be gained in a part of a run if something was changed: the run is played with that,
// and what it takes less is the gain. Tried are
//
// * functions: each process that is longer in a call path of one than the median of all is in it as
//   long as that, in each section: between operations in which all meet, and in each iteration.
//   Where in most sections more than a quarter, but no more than half, are in it for long, as long
//   as all are on average; where half of all are far longer, as long as the lower median;
// * computation: the same of all functions together, but who does what most do not is longer by no
//   more than it computes longer in all; where some compute far less than others, the work is
//   spread, and all compute as long as they do on average;
// * iterations that are longer than most (filters/summary/long_iterations.hpp), and in which most
//   processes compute longer: each computes in them as long as in the others;
// * order: what a run without network and imbalance in any section takes beyond computation, since
//   one waits for what another one does first, as in a pipeline;
// * files, which cost nothing;
// * the network, which costs nothing.
//
// A change gains at most what it takes away from the critical path; the functions with the largest
// of these bounds are played. Gains overlap, and have no sum.
//
// A gain names processes only where they are longer far more often than chance brings about, or far
// longer; and iterations only where these have nearly all of what is too long. What noise adds
// stays: who is longer in nearly all sections is as much shorter in each, and so are long
// iterations of all.
//
// Pure. Memory: that of replay.hpp and section_times.hpp, and 8 bytes for each process and
// function.
//
// Source: docs/science.md, Playing a run.
#pragma once

#include "model/program/program_profiles.hpp"
#include "model/what_if.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/replay/replay.hpp"
#include "pipeline/replay/section_times.hpp"

#include <vector>

namespace tracefold {

struct PlayedPaths {
  std::vector<PlayedPath> paths;
  std::vector<bool> is_mpi;  // as Replay wants it
};
PlayedPaths list_played_paths(const Aggregates& calls);

// Descending, without those below least_gain of the runtime. `played` has the rest of what is
// known. `is_loop`: the part is a loop, and begins with its first iteration.
std::vector<ProgramGain> find_gains(const Replay& replay, const Replay::Part& part, bool is_loop,
                                    const std::vector<PlayedPath>& paths,
                                    const ProgramReplay& played);

inline constexpr double least_gain = 0.02;
// Where loops take this share of a run, nothing is looked for around them.
inline constexpr double most_in_loops = 0.95;

// How long the part takes with these changes together, in ticks. `functions`: by number. What
// matches no function changes nothing.
std::uint64_t play_asked(const Replay& replay, const Replay::Part& part, bool is_loop,
                         const std::vector<PlayedPath>& paths,
                         const std::vector<Function>& functions, const std::vector<WhatIf>& asked);

}  // namespace tracefold
