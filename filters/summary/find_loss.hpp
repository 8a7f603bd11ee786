// Finds the largest loss of a run, who causes it, and where.
//
// The largest of these losses is taken: load balance, serialisation, transfer, OpenMP, I/O, and
// iterations that take longer than others. Then its cause is searched: a process, several
// processes, those of a node, a thread, or an iteration; the call path in which they take longer
// than others; and the calls in which others wait for them.
//
// Pure functions.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

namespace tracefold {

// Smaller losses (as a share of the time of all ranks) are ignored.
inline constexpr double least_loss = 0.02;

// Adds the finding to a summary of measure_run().
void find_loss(const RunFacts& facts, Summary& summary);

}  // namespace tracefold
