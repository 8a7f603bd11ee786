// Which of the kept processes fold their iterations together.
//
// Thread-safe, deterministic.
// Source: DESIGN's rule 7 of rewriting (all kept locations keep the same iterations);
// dynamics 3 (numbers of iterations may differ between processes).
#pragma once

#include "model/iterations/iterations.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Of the plan's kept processes, as indexes, ascending: those with as many
// loops with as many iterations each as most have, counted by the processes that they
// stand for, whose loops run in about the same stretches of time. Empty without loops.
// `loops` are of the plan's processes.
std::vector<std::size_t> aligned_processes(const Plan& plan,
                                           const std::vector<ProcessLoops>& loops);

}  // namespace tracefold
