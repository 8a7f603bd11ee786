// select: chooses the representatives of each group.
//
// Each process belongs to exactly one representative, which is a process of its own group:
// 1. Processes that the selection names by id and, unless it keeps none, odd ones
//    (filters/groups/odd_processes.hpp) represent only themselves.
// 2. The other processes of a group are clustered by time (filters/groups/process_times.hpp). Where
//    one cluster is asked for, a group that is two classes of work has two, unless odd processes
//    are not kept. Each cluster has one representative:
//      first    the lowest id
//      medoid   the smallest sum of Manhattan distances over exclusive times
//      slowest  the one that computes most: outside of MPI, of OpenMP's runtime and of waiting for
//               accelerators; where nothing else was recorded, the one with least time there
//    `connected` begins with the medoids, and exchanges ranks where more messages then stay between
//    kept ones (filters/groups/connected_choice.hpp).
//
// A process whose records end early (filters/groups/early_ends.hpp) represents only others that do,
// and is not the slowest one, unless all of a group do.
//
// Groups with MPI ranks are handled first. Representatives of threads and streams are then taken
// from processes that are kept anyway, or were created by them, if possible.
//
// Source: structural VIII, thesis 4.4.1 (clusters inside a group).
#pragma once

#include "filters/groups/connected_choice.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct Plan;
struct Selection;

// The processes with these location ids, ascending as these. Throws Error(usage) with the ids that
// no process has.
std::vector<std::size_t> find_always(const Plan& plan, const std::vector<std::uint64_t>& ids);

// Fills plan.representatives, ordered by group and id, and plan.selection. Removes sections of
// later stages from the plan. `messages` has the messages between all ranks, each pair once, for
// `connected`. Throws Error(usage) where the plan has no groups, or no process has an id that the
// selection names.
void select(Plan& plan, const Selection& selection, const std::vector<RankMessages>& messages = {});

}  // namespace tracefold
