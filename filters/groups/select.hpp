// select: groups in, the representatives of each out.
//
// Whatever is asked for together, each process belongs to one representative of
// its group, and none is in two. In this order:
// 1. Kept for themselves: the processes that are asked for by id, and the fastest
//    and the slowest of each group (least and most time in all functions, ties to
//    the lowest id; none where all members take equally long). Such a
//    representative has itself as its only member.
// 2. The others of a group are divided by time (filters/time_clusters.hpp), and each
//    cluster is kept by one of its members, which stands for all of them.
// The representative of a group of threads or streams comes from a process that is
// kept anyway where one fits: those of groups with locations that MPI's ranks mean
// are chosen first.
//   first    lowest id
//   medoid   smallest sum of Manhattan distances over exclusive times
//   slowest  most time in all functions
//
// Source: structural VIII, thesis 4.4.1 (clusters inside a group).
#pragma once

#include "model/plan.hpp"

namespace tracefold {

// Fills plan.representatives, by group and in a group by id, and the selection
// that they follow from. Throws Error(usage) where the plan has no groups, or no
// process of an id that is asked for.
void select(Plan& plan, const Selection& selection);

}  // namespace tracefold
