// The loops of a trace that was cut to some iterations, which are known and not searched for.
//
// Where a part of the time begins, the calls around an iteration are entered right before it, at
// the same time (window_reader.hpp). So the order of the call that begins the iteration is larger
// there by the number of these calls.
//
// Source: docs/design.md, the rule "window in time".
#pragma once

#include "model/chosen_iterations.hpp"
#include "model/iterations/loops.hpp"
#include "pipeline/events/planned_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// The loops of these processes, by process of the plan, which must have chosen iterations. Throws
// Error(input) if what locations stand for is inconsistent.
std::vector<ProcessLoops> list_chosen_loops(const PlannedTrace& trace,
                                            const std::vector<std::size_t>& processes);

// The loop with only these iterations (ascending, from 0), as chosen ones are stored. `functions`
// gets those that it refers to.
Loop keep_chosen(const Plan& plan, const Loop& loop, const std::vector<std::size_t>& iterations,
                 std::vector<Function>& functions);

}  // namespace tracefold
