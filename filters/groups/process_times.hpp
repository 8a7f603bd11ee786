// Processes of a group as points whose coordinates are their times, and clusters of these points.
//
// Pure functions: equal plans give equal points and equal clusters. `members` are some of the
// group's members, ascending, as indexes into Plan::processes.
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

// A point for each of `members`: its exclusive time, in ticks, in each function that an intent of
// the group lists, and as one more coordinate its time in all other functions.
lattice::Points make_time_points(const Plan& plan, const Group& group,
                                 const std::vector<std::size_t>& members);

// The same points, scaled, so that how much a function counts does not depend on how much it
// varies:
//
//     coordinate = (time - least time) / max(deviation, mean / 100) · √share, in 1 / scaled_unit
//
// The deviation (of the whole population) and the mean are of the function's time, over all
// processes of the group by weight, and the share is that of the group's time which is spent in the
// function. Squared distances add up, so a function contributes its share of the time to the spread
// of a group: half of the time is half of the spread. Unscaled, one function whose time jumps, as
// that of waiting does, decides alone; with standard deviations only, a function with a thousandth
// of the time counts as much as one with half of it. A deviation below a hundredth of the mean
// counts as a hundredth: that is noise, which is not to be blown up. Functions that take equally
// long everywhere count nothing.
lattice::Points make_scaled_points(const Plan& plan, const Group& group,
                                   const std::vector<std::size_t>& members);

inline constexpr double scaled_unit = 0x1p24;
inline constexpr std::size_t cluster_functions = 10, most_auto_clusters = 8;

// The members of each cluster, ascending, and clusters in the order of their first members, so
// that each cluster can have a representative. There are at most `count` clusters, and fewer where
// fewer processes differ. With auto_per_group as many as separate the processes best are made, up
// to most_auto_clusters.
//
// The coordinates are exclusive times. TimeFeatures::ten: in the cluster_functions functions with
// the most time in the group, each process counted with its weight, in ticks. TimeFeatures::all: in
// all functions, as make_scaled_points scales them. A function that the intent of a process does
// not list counts as 0, since the plan does not hold its time. Clusters are those of
// lattice/kmeans.hpp from one fixed seed.
std::vector<std::vector<std::size_t>> find_time_clusters(const Plan& plan, const Group& group,
                                                         const std::vector<std::size_t>& members,
                                                         std::size_t count,
                                                         TimeFeatures features = TimeFeatures::ten);

}  // namespace tracefold
