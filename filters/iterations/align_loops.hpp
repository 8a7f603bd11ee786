// Aligns the loops of processes: which ones count in a group, what threads take from others,
// what the processes of a group agree on, and which kept processes fold their iterations
// together.
//
// Thread-safe, deterministic. `loops` are those of the plan's processes everywhere.
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

// Removes the found loops that take too small a share of the time (see choose_loops.hpp), in
// the mean over the processes of their group that have them.
void remove_minor_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// Whether remove_minor_loops may decide otherwise by all processes of a group than by these: where
// a group has others, and a loop's mean share of the time is near the least one.
bool leaves_small_loops_in_doubt(const Plan& plan, const std::vector<std::size_t>& members,
                                 std::vector<ProcessLoops>& loops);

// Removes found loops that are unsure in the mean over the processes of their group that have
// them, and returns the loops that were removed, one for each group that had it.
std::vector<Loop> remove_unsure_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// Whether it may be otherwise in the mean over all processes of a group if a found loop is unsure:
// where processes of a group with others than these have one near that border.
bool leaves_unsure_loops_in_doubt(const Plan& plan, const std::vector<std::size_t>& members,
                                  const std::vector<ProcessLoops>& loops);

// Whether the mean over processes that are like this one may decide otherwise about its found
// loops: whether one of them is unsure, or takes too small a share of the time.
bool leaves_loops_in_doubt(const ProcessLoops& process);

// Gives the locations of a location group the loops of the first of them that has some, or
// those of the group that created it. Locations with loops that were asked for or are marked
// keep their own.
void share_loops(const Plan& plan, std::vector<ProcessLoops>& loops);

// These processes, indexes, and all that they may take their loops from: the first threads of their
// location groups and of those that created them. Ascending.
std::vector<std::size_t> add_loop_sources(const Plan& plan,
                                          const std::vector<std::size_t>& processes);

// The processes that were not searched, and that members would take their loops from if they had
// some: those before the first one with loops of the same location group, or of the one that
// created it. Ascending. What members take depends on them, so that they are to be searched, too.
std::vector<std::size_t> list_unsearched_sources(const Plan& plan,
                                                 const std::vector<std::size_t>& members,
                                                 const std::vector<bool>& is_searched,
                                                 const std::vector<ProcessLoops>& loops);

// The processes whose loops are folded: the kept ones, and those that these may take their
// iterations from. Ascending. Which loops are found depends on this: a loop counts in a group where
// it does in the mean over the processes of the group that are searched.
std::vector<std::size_t> choose_processes_to_search(const Plan& plan);

// The loop of a process that is the same as the one with this number of another process: one at the
// same call path with as many iterations, the one of that number where it is one of these; else one
// with as many iterations anywhere, in the same way; else the one of that number where it differs
// from the other in the number of iterations alone. None: the process does not have it.
std::optional<std::size_t> find_same_loop(const std::vector<Loop>& loops,
                                          const std::vector<Loop>& of_other, std::size_t number);

// The same where only the numbers of iterations are known: one with as many, the one of that number
// where it is one of these.
std::optional<std::size_t> find_same_loop(const std::vector<std::size_t>& lengths,
                                          std::size_t number, std::size_t length);

// Leaves of a process's loops, small ones among them, those that its stand-in has, too: of loops
// with as many iterations the ones that do the most work. False where it does not have all of them.
bool keep_loops_of(const ProcessLoops& stand_in, ProcessLoops& process);

// For each group of the plan, the loops that most of its processes agree on: as many loops at
// the same call paths with as many iterations each, and if they are marked, of the same
// regions. Of equally many processes those with the first one count. Only processes in
// `members`, ascending, are looked at; a group without any is left out.
std::vector<GroupLoops> summarize_group_loops(const Plan& plan,
                                              const std::vector<std::size_t>& members,
                                              const std::vector<ProcessLoops>& loops);

// The kept processes that fold their iterations together, as indexes, ascending: those with as
// many loops with as many iterations each as most have, counted by the processes that they
// stand for, if their loops run at about the same times. Empty without loops.
std::vector<std::size_t> find_aligned_processes(const Plan& plan,
                                                const std::vector<ProcessLoops>& loops);

}  // namespace tracefold
