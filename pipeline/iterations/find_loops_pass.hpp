// Finds the loops of the processes of a plan, and where their iterations begin. Each process is
// read once, in parallel, and not at all where it was searched before.
//
// Calls are those of context_calls.hpp: what leads to MPI or is marked counts, what only samples
// show does not. Memory: 16 bytes for each iteration of each process, and what loop_finder.hpp says
// for each thread. The result does not depend on the number of threads.
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

// Which found loops take enough time to count: all of them; those that do so in the mean over the
// members of their group that are searched; or those that do so over all members of their group,
// which are searched, too, where the others leave doubt.
enum class LoopThreshold : std::uint8_t { none, over_searched, over_groups };

// By process of the plan, which has profiles: the loops of those in `members`, which ascend, and of
// the threads that these take loops from, whichever threads are members; none of the others. A
// trace with folded iterations has none, and a warning says so. Throws Error(input), also where the
// plan names a process that the trace does not have. With a threshold it throws Error(usage) where
// iterations are asked for and no function that matches is called, or begins at least two. What
// was searched for the same iterations is taken from `searched`, and what is searched put there.
std::vector<ProcessLoops> find_loops_pass(const PlannedTrace& trace,
                                          const std::vector<std::size_t>& members,
                                          const AskedIterations& asked,
                                          LoopThreshold threshold = LoopThreshold::over_searched,
                                          SearchedLoops* searched = nullptr);

// The loops that are folded: those of the kept processes, and of the processes that these may take
// their iterations from, without loops that are unsure, which a note tells. Where the searched
// processes leave doubt, all members of their groups are searched, too. Where the loops are to be
// those of another run, these alone, and unsure ones as well. `known` are loops that were found
// before, in all processes; they are not looked for again. Throws what find_loops_pass does.
std::vector<ProcessLoops> find_loops_to_fold(const PlannedTrace& trace, const FoldOptions& options,
                                             const std::vector<ProcessLoops>* known = nullptr,
                                             SearchedLoops* searched = nullptr);

}  // namespace tracefold
