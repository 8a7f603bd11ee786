// What costs a run most, and who causes it, where.
//
// The largest of these losses is taken: load balance, serialisation, transfer, of OpenMP, of I/O,
// and iterations that take longer than others. Then is looked for whom it is of: one process, some,
// those of a node, a thread, or an iteration; in which call path these take longer than others; and
// in which calls others wait for them.
//
// Pure functions.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

namespace tracefold {

// Losses below this share of the time of all ranks do not matter.
inline constexpr double least_loss = 0.02;

// Completes what measure_run() has measured.
void find_loss(const RunFacts& facts, Summary& summary);

}  // namespace tracefold
