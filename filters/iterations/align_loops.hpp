// Aligns the loops of processes: which loops count in a group, which loops threads take from
// others, on which loops the processes of a group agree, and which kept processes fold their
// iterations together.
//
// Thread-safe and deterministic. `loops` always has the loops of all processes of the plan.
//
// Source: docs/design.md, the rule "collapsed iterations" (all kept locations keep the same
// iterations); dynamics 3 (numbers of iterations may differ between processes).
#pragma once

#include "model/iterations/loops.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

struct Plan;

// Removes found loops whose share of the time (see choose_loops.hpp) is too small, on average over
// the processes of their group that have them.
void remove_minor_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// Removes found loops that are unsure on average over the processes of their group that have them.
// Returns the removed loops, one for each group that had it.
std::vector<Loop> remove_unsure_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// Gives locations the loops of the first location of their location group that has some, or of the
// group that created theirs. Locations with marked loops, or loops that the user asked for, keep
// them.
void share_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// Adds to these processes (indexes) those whose loops they may take: the threads of their location
// groups, and of the groups that created these. Ascending.
std::vector<std::size_t> add_loop_sources(const Plan& plan,
                                          const std::vector<std::size_t>& processes);

// The processes whose loops may be folded: the kept ones, and the first threads of the location
// groups whose loops these may take. Ascending.
std::vector<std::size_t> list_folding_candidates(const Plan& plan);

// Finds the loop of a process that corresponds to loop `number` of another one: a loop with the
// same call path and number of iterations, preferably with the same number; otherwise any with that
// number of iterations, in the same way; otherwise the one with the same number if only the number
// of iterations differs. None: the process does not have it.
std::optional<std::size_t> find_same_loop(const std::vector<Loop>& loops,
                                          const std::vector<Loop>& of_other, std::size_t number);

// The same if only numbers of iterations are known: a loop with as many, preferably with the same
// number.
std::optional<std::size_t> find_same_loop(const std::vector<std::size_t>& lengths,
                                          std::size_t number, std::size_t length);

// Keeps only those loops of a process, small ones included, that its representative has, too; of
// loops with equal numbers of iterations, those with most work. False where it lacks some of them.
bool keep_loops_of(const ProcessLoops& stand_in, ProcessLoops& process);

// For each group of the plan, the loops that most of its processes agree on: the same number of
// loops at the same call paths with the same numbers of iterations and, if marked, of the same
// regions. Of equally large sets of processes, that with the first one wins. Only `members`
// (ascending) are looked at; groups without any are left out.
std::vector<GroupLoops> summarize_group_loops(const Plan& plan,
                                              const std::vector<std::size_t>& members,
                                              const std::vector<ProcessLoops>& loops);

// The kept processes that fold their iterations together, as ascending indexes: those with the most
// frequent numbers of loops and iterations, counted by the processes that they stand for, if their
// loops run at about the same times. Empty without loops.
std::vector<std::size_t> find_aligned_processes(const Plan& plan,
                                                const std::vector<ProcessLoops>& loops);

}  // namespace tracefold
