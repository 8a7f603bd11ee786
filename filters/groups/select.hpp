// select: chooses the representatives of each group.
//
// Each process belongs to exactly one representative, which is a process of its own group:
// 1. Some processes represent only themselves: those that the selection names by id and, if it asks
//    for extremes, the fastest and the slowest of each group. These compute least and most: outside
//    of MPI, of OpenMP's runtime and of waiting for accelerators; where nothing else was recorded,
//    most and least of it. The lowest id of equal ones; none if all are equal.
// 2. The other processes of a group are clustered by time (filters/groups/process_times.hpp). Each
//    cluster has one representative:
//      first    the lowest id
//      medoid   the smallest sum of Manhattan distances over exclusive times
//      slowest  the one that computes most, as above
//    `connected` begins with the medoids, and exchanges ranks where more messages then stay between
//    kept ones (filters/groups/connected_choice.hpp).
//
// A process whose records end early (filters/groups/early_ends.hpp) represents only others that do,
// and is neither the fastest nor the slowest one, unless all of a group do.
//
// Groups with MPI ranks are handled first. Representatives of threads and streams are then taken
// from processes that are kept anyway, or were created by them, if possible.
//
// Source: structural VIII, thesis 4.4.1 (clusters inside a group).
#pragma once

#include "filters/groups/connected_choice.hpp"

#include <vector>

namespace tracefold {

struct Plan;
struct Selection;

// Fills plan.representatives, ordered by group and id, and plan.selection. Removes sections of
// later stages from the plan. `messages` has the messages between all ranks, each pair once, for
// `connected`. Throws Error(usage) where the plan has no groups, or no process has an id that the
// selection names.
void select(Plan& plan, const Selection& selection, const std::vector<RankMessages>& messages = {});

}  // namespace tracefold
