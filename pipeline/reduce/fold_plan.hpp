// The stage `iterations` of a plan that has groups: its loops found, compared, mapped and folded.
//
// Loops that were `found` are those that find_loops() gave for the same plan and options.
// The functions throw Error(input), and Error(usage) where the trace does not have what is asked
// for.
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/iterations/loops.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// The loops of all processes.
LoopReport find_loops(PlanSession& session, const FoldOptions& options);

// Finds the iterations of the kept processes, and chooses those that stay. Loops that are unsure
// are left out, with a note. Where the kept processes leave doubt, all processes of their groups
// decide what is unsure. Errors are measured where what every process does is recorded; for loops
// that were found, that is done of all traces that were not reduced before.
void fold_plan(PlanSession& session, const FoldOptions& options,
               RecordProgram record = RecordProgram::no);
void fold_plan(PlanSession& session, const FoldOptions& options, const LoopReport& found);

// The plan's section for each of these numbers of clusters, with errors.
std::vector<ComparedClusters> compare_clusters(PlanSession& session, const FoldOptions& options,
                                               const LoopReport& found,
                                               const std::vector<std::size_t>& clusters);

// The loops of these processes, and the one that is looked at.
struct ChosenLoop {
  std::vector<ProcessLoops> loops;  // by process of the plan
  std::size_t loop = 0;
};
// The loop of this number, from 0, or else the one that takes most of the time.
ChosenLoop choose_loop(PlanSession& session, const std::vector<std::size_t>& members,
                       const AskedIterations& asked, const std::optional<std::size_t>& loop);

// A metric of the kept processes by iteration. Of a trace that was reduced before it is what was
// stored beside it, unless the options ask for iterations.
IterationMap map_plan(PlanSession& session, const MapOptions& map, const FoldOptions& options);

// The same of all processes, beside what folding leaves of it: as the plan has it, or where it has
// none, or `folds_anew`, by the options.
ComparedMap compare_map(PlanSession& session, const MapOptions& map, const FoldOptions& options,
                        bool folds_anew);

}  // namespace tracefold
