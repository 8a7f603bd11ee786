// fold: the section `iterations` of a plan. The loops of the kept processes are
// found, the call-path profiles of all their iterations are read, and of each loop the
// iterations are chosen that stay.
//
// Three passes over the kept locations, and the first threads of their processes:
// to find, to choose, and to measure how near what stays comes to all. The result does
// not depend on the number of threads.
//
// Source: dynamics 3 and 4; DESIGN's rule 7 of rewriting.
#pragma once

#include "model/plan.hpp"
#include "pipeline/event_reader.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct FoldOptions {
  std::string region;             // glob; empty: iterations are found
  std::size_t max_clusters = 64;  // of each loop
};

// The kept processes and the first threads of their processes, which these take
// their iterations from. Indexes of processes, ascending.
std::vector<std::size_t> processes_to_fold(const Plan& plan);

// `loops` are of the plan's processes, as find_iterations gives them. Throws
// Error(input), Error(interrupted).
void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops, const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics);

}  // namespace tracefold
