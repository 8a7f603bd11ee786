// Clusters processes of a group by their times.
//
// Pure functions. `members` are some of the group's members, as ascending indexes into
// Plan::processes.
//
// Source: structural VIII.B, thesis 4.4.1.
#pragma once

#include "lattice/medoid.hpp"
#include "model/plan_options.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Group;
struct Plan;

// A point for each member: its exclusive ticks in each function that an intent of the group lists,
// and in all other functions together.
lattice::Points make_time_points(const Plan& plan, const Group& group,
                                 const std::vector<std::size_t>& members);

// The same points, scaled so that the weight of a function does not depend on how much it varies:
//
//     coordinate = (time - least time) / max(deviation, mean / 100) · √share, in 1 / scaled_unit
//
// Deviation (of the population) and mean are those of the function's time, over all processes of
// the group by weight; the share is that of the function in the group's time. Squared distances add
// up, so that a function with half of the time contributes half of the spread. Without scaling, a
// single function with varying time, such as waiting, decides alone; with deviations only, a
// function with a thousandth of the time counts as much as one with half of it. Deviations below a
// hundredth of the mean are noise and are not enlarged. Functions with equal times in all processes
// do not count.
lattice::Points make_scaled_points(const Plan& plan, const Group& group,
                                   const std::vector<std::size_t>& members);

inline constexpr double scaled_unit = 0x1p24;
inline constexpr std::size_t cluster_functions = 10, most_auto_clusters = 8;

// Returns the members of each cluster, ascending, with clusters in the order of their first
// members. There are at most `count` clusters, fewer where fewer processes differ; with
// auto_per_group, the number up to most_auto_clusters that separates the processes best.
//
// Coordinates are exclusive times. TimeFeatures::ten: in ticks, in the cluster_functions functions
// with the most weighted time in the group. TimeFeatures::all: in all functions, scaled by
// make_scaled_points(). A function that a process's intent does not list counts as 0, since the
// plan has no time of it. Clusters come from lattice/kmeans.hpp with a fixed seed.
std::vector<std::vector<std::size_t>> find_time_clusters(const Plan& plan, const Group& group,
                                                         const std::vector<std::size_t>& members,
                                                         std::size_t count,
                                                         TimeFeatures features = TimeFeatures::ten);

}  // namespace tracefold
