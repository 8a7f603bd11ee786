// Processes of a group as points whose coordinates are their times, and clusters of these points.
//
// Pure functions: equal plans give equal points and equal clusters. `members` are some of the
// group's members, ascending, as indexes into Plan::processes.
//
// Source: structural VIII.B, thesis 4.4.1.
#pragma once

#include "lattice/medoid.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Group;
struct Plan;

// A point for each of `members`: its exclusive time, in ticks, in each function that an intent of
// the group lists, and as one more coordinate its time in all other functions.
lattice::Points make_time_points(const Plan& plan, const Group& group,
                                 const std::vector<std::size_t>& members);

inline constexpr std::size_t cluster_functions = 10, most_auto_clusters = 8;

// The members of each cluster, ascending, and clusters in the order of their first members, so
// that each cluster can have a representative. There are at most `count` clusters, and fewer where
// fewer processes differ. With auto_per_group as many as separate the processes best are made, up
// to most_auto_clusters.
//
// The coordinates are exclusive times in the cluster_functions functions with the most time in
// the group, each process counted with its weight. A function that the intent of a process does
// not list counts as 0, since the plan does not hold its time. Clusters are those of
// lattice/kmeans.hpp from one fixed seed.
std::vector<std::vector<std::size_t>> find_time_clusters(const Plan& plan, const Group& group,
                                                         const std::vector<std::size_t>& members,
                                                         std::size_t count);

}  // namespace tracefold
