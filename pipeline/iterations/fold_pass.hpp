// fold: the section `iterations` of a plan. The loops of the kept processes are
// known, the call-path profiles of all their iterations are read, and of each loop the
// iterations are chosen that stay.
//
// The kept locations are read once to choose, and twice to measure how near what
// stays comes to all, a few at a time; so often for each window of iterations, where
// the memory (ReadOptions) has not room for what is measured of all. Where it has not
// room for what the choice needs, an even sample of the processes chooses, and a
// warning says so. The result does not depend on the number of threads.
//
// Source: dynamics 3 and 4; DESIGN's rule 7 of rewriting.
#pragma once

#include "model/plan.hpp"
#include "otf2/otf2_archive.hpp"
#include "otf2/read_options.hpp"

#include <string>
#include <vector>

namespace tracefold {

// The kept processes and the first threads of their location groups, and of those that
// created them, from which they may take their iterations. Indexes of processes, ascending.
std::vector<std::size_t> choose_processes_to_search(const Plan& plan,
                                                    const Definitions& definitions);

// The section for each number of clusters, all from the same readings. `loops` are of
// the plan's processes, as find_loops_pass gives them. Throws Error(input),
// Error(interrupted).
std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const std::string& region,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading,
                                               Diagnostics& diagnostics);

// The same for one number of clusters, put into the plan.
void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics);

}  // namespace tracefold
