// Clusters of a group's processes by where their time goes, so that each cluster
// can have a representative of its own.
//
// Points are exclusive times in ticks of the ten functions with the most time in
// the group, processes counted with their weights; a function that is not among the
// largest of a process's intent, and so has no time of its own in the plan, counts
// as 0. Clusters are those of lattice/kmeans.hpp from one fixed seed: equal plans
// give equal clusters.
//
// Source: structural VIII.B, thesis 4.4.1.
#pragma once

#include "model/plan.hpp"

#include <vector>

namespace tracefold {

inline constexpr std::size_t cluster_functions = 10, most_auto_clusters = 8;

// The members cluster by cluster, clusters by their first
// members and each ascending: at most `count` clusters, fewer where fewer processes
// differ; or with auto_per_group as many as part the processes best, up to 8.
// `members` are some of the group's, ascending.
std::vector<std::vector<std::size_t>> time_clusters(const Plan& plan, const Group& group,
                                                    const std::vector<std::size_t>& members,
                                                    std::size_t count);

}  // namespace tracefold
