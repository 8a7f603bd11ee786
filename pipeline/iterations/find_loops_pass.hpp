// Finds the loops of a plan's processes, and the begins of their iterations. Each process is read
// once, in parallel, unless it was searched before.
//
// Calls are those of context_calls.hpp: those that lead to MPI or are marked count, and not what
// only samples show. Memory: 16 bytes for each iteration of each process, and that of
// loop_finder.hpp for each thread. The result does not depend on the number of threads.
//
// Source: dynamics 3.1 (iterations of the main loop).
#pragma once

#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan_options.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/searched_loops.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Which found loops count: all, or those with enough time, on average over the members of their
// group.
enum class LoopThreshold : bool { none, over_members };

// Returns, by process of the plan (which must have profiles), the loops of `members` (ascending)
// and of the threads from which these take loops, whether or not those are members. A trace with
// folded iterations has none, and a warning says so. Where the plan has chosen iterations, and no
// others are asked for, these are the loops. Throws Error(input), also if the plan has a
// process that the trace lacks; with a threshold also Error(usage) if iterations are asked for and
// no matching function is called, or begins at least two. Results of earlier searches are taken
// from `searched`, and new ones are stored there.
std::vector<ProcessLoops> find_loops_pass(const PlannedTrace& trace,
                                          const std::vector<std::size_t>& members,
                                          const AskedIterations& asked,
                                          LoopThreshold threshold = LoopThreshold::over_members,
                                          SearchedLoops* searched = nullptr);

// The loops to fold: those of the kept processes, and of processes from which these may take
// iterations. All processes decide which of them count; unsure ones are left out, with a note. If
// loops are to be those of another run, only these are returned, even unsure ones. `known` are
// loops of all processes that were found before and are not searched again. Throws as
// find_loops_pass() does.
std::vector<ProcessLoops> find_loops_to_fold(const PlannedTrace& trace, const FoldOptions& options,
                                             const std::vector<ProcessLoops>* known = nullptr,
                                             SearchedLoops* searched = nullptr);

}  // namespace tracefold
