// Which kept processes fold their iterations together, and which processes these stand for. This is
// the step between finding loops and choosing iterations.
//
// A process that makes the same calls as the kept one that stands for it has its iterations at the
// same calls (pipeline/events/counted_iterations.hpp), so that no loops are looked for in it.
// Others are searched, and measured where they have the loops of their stand-in. Which processes
// make the same calls is told by a hash of their calls (pipeline/events/call_hash.hpp), which the
// first reading of the trace may have collected; else they are read for it.
//
// The result does not depend on the number of threads. Memory: what counted_iterations.hpp says.
//
// Source: dynamics 3 (iterations of the main loop) and 4.2.2; docs/design.md, the rule
// "collapsed iterations".
#pragma once

#include "model/iterations/fold_options.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan_options.hpp"
#include "model/program/program_file.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/collected_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tracefold {

// Processes are indexes into the plan's.
struct AlignedProcesses {
  std::vector<std::size_t> folding;  // kept, ascending; all have equally many loops and iterations
  // By process of the plan: of those that were searched, also where they differ from those of what
  // stands for them.
  std::vector<ProcessLoops> loops;
  std::map<std::size_t, std::size_t> stood_for_by;  // by process: the kept one, which may be itself
  std::uint64_t unmeasured = 0;  // processes that have other loops than what stands for them
  // By kept process, where others make the same calls; and these, each with the kept one.
  std::map<std::size_t, IterationCounts> counts;
  std::map<std::size_t, std::size_t> counted;

  // Those that fold, and those that are stood for and measured, ascending.
  std::vector<std::size_t> list_measured() const;
  // Whether any of these is not kept.
  bool has_others() const;
  // The loops of one that folds.
  const std::vector<Loop>& folded_loops() const { return loops[folding.front()].loops; }
  // Null where a process has loops of its own.
  const IterationCounts* find_counts(std::size_t process) const;
  // The loops that a process has, or those of the kept one that makes the same calls.
  const std::vector<Loop>& find_loops(std::size_t process) const;
};

// `loops` are those of find_loops_to_fold. Processes that are not kept are aligned where a folding
// one stands for them, and where what every process did is recorded, all that a kept one with loops
// stands for. What `calls` lacks is read. Throws Error(input), and Error(usage) where an iteration
// is to be kept that no loop has.
AlignedProcesses align_processes(const PlannedTrace& trace, const std::vector<ProcessLoops>& loops,
                                 const FoldOptions& options, const CollectedCalls& calls,
                                 RecordProgram record);

}  // namespace tracefold
