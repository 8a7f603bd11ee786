// Processes that make the same calls as another one (pipeline/events/call_hash.hpp): which ones do,
// and which calls make the iterations of the other.
//
// Both read events once, in parallel; the result does not depend on the number of threads. Memory:
// what counted_iterations.hpp says. They throw Error(input).
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/events/counted_iterations.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

// By process of the plan, of these, which are indexes; 0 of others.
std::vector<CallHash> hash_calls_pass(const Archive& archive, const Plan& plan,
                                      const std::vector<std::size_t>& processes,
                                      const ReadOptions& options, Diagnostics& diagnostics);

// By process, of these. Without those whose iterations are not told by their calls.
std::map<std::size_t, IterationCounts> count_iterations_pass(
    const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops,
    const std::vector<std::size_t>& processes, const ReadOptions& options,
    Diagnostics& diagnostics);

}  // namespace tracefold
