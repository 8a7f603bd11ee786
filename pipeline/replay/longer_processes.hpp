// Who is longer than others beyond chance, and when: whom, and which iterations, a gain names.
// Pure.
//
// Source: docs/science.md, Playing a run.
#pragma once

#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The places of those with at least a quarter of what the first of them is above others, ascending;
// empty where these are most, or where it may be chance. They have to be longer more often, or by
// more, than chance allows; or by 5 % of their own time, and by ten times of what the others are,
// and of what these differ; or ten times as far above all others in one iteration.
//
// `above`: by process and iteration, how much longer it is, in any unit; `times`: by process, all
// of its time. `are_alike`: all have the same iterations.
std::vector<std::size_t> find_longer_processes(const std::vector<std::vector<double>>& above,
                                               const std::vector<double>& times, bool are_alike);

// The iterations that have nearly all of this, by iteration: a single one, a range, or each so
// many; none where these are most.
SomeIterations find_some_iterations(const std::vector<double>& above);

}  // namespace tracefold
