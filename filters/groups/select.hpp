// select: groups in, the representatives of each out.
//
// Each process belongs to exactly one representative, which is a process of its own group:
// 1. Some processes are kept for themselves: those that the selection names by id and, where it
//    asks for extremes, the fastest and the slowest of each group (least and most time in all
//    functions, of equal ones the lowest id; none where all take equally long). Such a
//    representative has only itself as a member.
// 2. The other processes of a group are divided by time (filters/groups/process_times.hpp), by the
//    features that the selection names. Of each
//    cluster one process is kept, which represents all of them:
//      first    the lowest id
//      medoid   the smallest sum of Manhattan distances over exclusive times
//      slowest  the most time in all functions
//    With `connected` it is the medoid at first. Where another choice of ranks leaves more messages
//    between kept ones, that is taken (filters/groups/connected_choice.hpp).
//
// Groups with locations that MPI's ranks mean come first. The representatives of threads and
// streams are then taken from processes that are kept anyway, or were created by them, where one
// fits.
//
// Source: structural VIII, thesis 4.4.1 (clusters inside a group).
#pragma once

#include "filters/groups/connected_choice.hpp"

#include <vector>

namespace tracefold {

struct Plan;
struct Selection;

// Fills plan.representatives, ordered by group and in a group by id, and plan.selection. Removes
// what later stages had added to the plan. Throws Error(usage) where the plan has no groups, or no
// process has an id that the selection names.
// `messages` are those between all ranks, each pair once, in which the selection may be connected.
void select(Plan& plan, const Selection& selection, const std::vector<RankMessages>& messages = {});

}  // namespace tracefold
