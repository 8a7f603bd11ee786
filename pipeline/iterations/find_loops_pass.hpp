// iterations: the processes of a plan read once, in parallel, and the loops of
// each found.
//
// Memory: 16 bytes for each iteration of each process, and what loop_finder.hpp
// says for each thread. The result does not depend on the number of threads. One
// location is read by one thread. Calls are those of context_calls.hpp, too, and so what leads to
// MPI or is marked, but nothing that only samples show.
//
// Source: dynamics 3.1 (iterations of the main loop).
#pragma once

#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// Who decides in doubt whether a small loop takes enough time: the members alone, or all processes
// of their groups, which are then searched, too.
enum class SmallLoops : std::uint8_t { by_members, by_groups };

// By process of the plan, which has profiles: the loops of those in `members`, and
// none of the others. A trace with folded iterations has none, and a warning says so.
// Throws Error(input), also where the plan names a process that the trace does not
// have, and Error(usage) where iterations are asked for and no function that matches is called,
// or begins at least two.
std::vector<ProcessLoops> find_loops_pass(const Archive& archive, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const AskedIterations& asked, const ReadOptions& options,
                                          Diagnostics& diagnostics,
                                          SmallLoops small = SmallLoops::by_members);

// The loops of some more processes, to be compared with those of others that stand for them: all
// that are found, also small ones, by process of the plan. None is no error.
std::vector<ProcessLoops> find_more_loops_pass(const Archive& archive, const Plan& plan,
                                               const std::vector<std::size_t>& members,
                                               const AskedIterations& asked,
                                               const ReadOptions& options,
                                               Diagnostics& diagnostics);

}  // namespace tracefold
