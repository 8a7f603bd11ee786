// Decides which kept processes fold their iterations together, and which processes these stand for.
// This is the step between finding loops and choosing iterations.
//
// If a process makes the same calls as the kept process that stands for it, its iterations are at
// the same calls (pipeline/events/counted_iterations.hpp), and it is not searched for loops. Other
// processes are searched, and measured if they have the same loops. Equal calls are recognised by a
// hash (pipeline/events/call_hash.hpp), which the first pass may have collected; otherwise the
// processes are read.
//
// The result does not depend on the number of threads. Memory: that of counted_iterations.hpp.
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

// Processes are indexes of the plan.
struct AlignedProcesses {
  std::vector<std::size_t> folding;  // kept, ascending; equal numbers of loops and iterations
  // By process of the plan, for those that were searched, even if they differ from their stand-in's
  // loops.
  std::vector<ProcessLoops> loops;
  std::map<std::size_t, std::size_t> stood_for_by;  // by process: the kept one, possibly itself
  std::uint64_t unmeasured = 0;  // processes with other loops than their stand-in
  // By kept process with the same calls as others: its iterations; and by these others: the kept
  // one.
  std::map<std::size_t, IterationCounts> counts;
  std::map<std::size_t, std::size_t> counted;

  // The folding processes and those that they stand for and that are measured, ascending.
  std::vector<std::size_t> list_measured() const;
  // Whether any of these is not kept.
  bool has_others() const;
  // The loops of a folding process.
  const std::vector<Loop>& folded_loops() const { return loops[folding.front()].loops; }
  // Null if the process has loops of its own.
  const IterationCounts* find_counts(std::size_t process) const;
  // The loops of a process, or those of the kept one with the same calls.
  const std::vector<Loop>& find_loops(std::size_t process) const;
};

// `loops` come from find_loops_to_fold(). A process that is not kept is aligned if a folding one
// stands for it or, where what every process does is recorded, any kept process with loops. What
// `calls` lacks is read. Throws Error(input), and Error(usage) if an iteration is to be kept that
// no loop has.
AlignedProcesses align_processes(const PlannedTrace& trace, const std::vector<ProcessLoops>& loops,
                                 const FoldOptions& options, const CollectedCalls& calls,
                                 RecordProgram record);

}  // namespace tracefold
