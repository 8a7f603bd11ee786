// Folds iterations: makes the section `iterations` of a plan, whose kept iterations stand for
// the others.
//
// The way of an iteration, from events to the reduced trace:
//
//   find      find_loops_pass      reads events, finds loops and their iterations  (loop_finder;
//                                  filters: call_sequence, loop_markers, split_iterations,
//                                  find_loops, choose_loops)
//   align     filters/align_loops  which loops count in a group, and which processes fold
//                                  their iterations together
//   cluster   fold_pass            reads the profiles of iterations of the kept processes
//                                  (iteration_readings), and what all measured ones did in them
//                                  together (measured_processes, same_calls; filters:
//                                  joint_totals);
//                                  filters/cluster_iterations chooses iterations that are kept
//                                  (choose_medoids)
//   measure   measure_errors       compares all iterations with what stands for them, on the kept
//                                  processes, and on all
//                                  (filters: process_clusters, iteration_errors, folding_errors)
//   fold      IterationSection     in the plan (model/iterations/iteration_section); and what kept
//                                  processes did in all (kept_aggregates)
//   write     pipeline/rewrite     collapse.hpp makes one call of each iteration that is not kept
//
// A kept location is read this often by `reduce`, and each reading needs the one before:
//
//   1  profile      all locations: groups and representatives depend on it
//   2  find         loops are known only when their last iteration has ended
//   3  count        which calls make its iterations, where others make the same ones
//   4  waits        if there is MPI: a late sender may be a process that is read later; not where
//                   the first reading collected what this takes
//   5  cluster      the profile of an iteration needs its begin and end, and late senders
//   6  scan         rewriting: which messages and definitions stay depends on all locations
//   7  copy         writes what stays
//
// One that is not kept is read for 1 and, where errors are measured on all processes, for 4 and 5;
// for 2 only where it makes other calls than what stands for it. Where the first reading did not
// tell that, since nothing but calls was asked of it, one more does.
//
// Errors on the kept processes are measured in two rounds over all iterations, since what stands
// for the first may come last. What was read is kept in memory after the fifth reading; only of
// processes whose profiles do not fit (stored_profiles.hpp), events are read again for each round,
// and for each window of iterations if the memory limit has no room for the errors of all. Of
// processes that are not kept only the sums over call paths are read, and added up: once, if memory
// has room for the totals of all iterations, or else once for each window.
//
// If the memory limit has no room for what clustering needs of all processes, the kept ones or an
// even sample of these choose, and a warning says so. The result does not depend on the number of
// threads.
//
// Source: dynamics 3 and 4; DESIGN's rule 7 of rewriting.
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <vector>

namespace tracefold {

// The section for each number of clusters, all from the same readings. `loops` are of
// the plan's processes, as find_loops_to_fold gives them. Throws
// Error(input), Error(interrupted), and Error(usage) where an iteration is to be kept that no loop
// has.
std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading,
                                               Diagnostics& diagnostics);

// The same for the number of clusters of the options, put into the plan. What was
// collected before (profile_pass.hpp) is not read once more.
void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, CollectedCalls* calls = nullptr);

}  // namespace tracefold
