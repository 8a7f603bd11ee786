// Folds iterations: keeps some iterations, which stand for the others. The result, with its errors,
// is the section `iterations` of a plan.
//
// There are five steps, each of which uses the result of the one before:
//
//   find      ProcessLoops       find_loops_pass reads events, and finds loops and the begins of
//   their
//                                iterations (loop_finder; in filters/iterations: call_sequence,
//                                loop_markers, split_iterations, find_loops_in_call, choose_loops)
//   align     AlignedProcesses   align_processes decides which kept processes fold their iterations
//                                together, and which processes they stand for (align_loops)
//   cluster   KeptIterations     fold_pass reads the profiles of iterations of kept processes
//                                (iteration_readings) and their totals over all processes
//                                (measured_totals), and chooses iterations by both
//                                (cluster_iterations, choose_medoids)
//   measure   FoldedLoop         measure_errors compares all iterations with what stands for them
//                                (filters/iterations/errors)
//   fold      IterationSection   the section is put together
//
// When the trace is written, collapse.hpp replaces each iteration that is not kept by one call.
//
// `reduce` reads all locations twice, since each reading needs the results of the one before, and
// kept ones twice more:
//
//   1  profile      groups and representatives depend on all locations; loops are known only when
//                   their last iteration has ended, and the times that others wait for when all
//                   have been read (collected_calls.hpp)
//   2  cluster      profiles of iterations need their begins and ends, and late senders
//   3  scan         messages and definitions that stay depend on all kept locations
//   4  copy         what stays is written
//
// A location whose stand-in has no loop is read once more for parts of the run, where metrics of
// members are asked for (pipeline/facts/record_members.hpp).
//
// Errors on kept processes need two rounds over all iterations, since what stands for the first one
// may come last. Profiles of iterations stay in memory after the third reading. Processes whose
// profiles do not fit (stored_profiles.hpp) are read again for each round, and, if the errors of
// all iterations do not fit, for each window of iterations. Of other processes only sums over call
// paths are added up. Processes for which these were not recorded are read once if the totals of
// all iterations fit into memory, and otherwise once for each window.
//
// If there are too many kept processes and iterations, an even sample of the processes is used for
// choosing, and a warning says so. The result does not depend on the number of threads or the
// memory limit.
//
// Source: dynamics 3 and 4; docs/design.md, the rule "collapsed iterations".
#pragma once

#include "model/iterations/fold_options.hpp"
#include "model/iterations/loops.hpp"
#include "model/profile/metric.hpp"
#include "model/program/program_file.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/iterations/collected_calls.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

struct ComparedClusters;
struct Plan;

// The section for each number of clusters, from the same readings, and its errors if what every
// process did is recorded. `loops` are those of all processes of the plan, from
// find_loops_to_fold(). What `calls` has is not read again. Throws Error(input),
// Error(interrupted), and Error(usage) if an iteration is to be kept that no loop has.
std::vector<ComparedClusters> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading, Diagnostics& diagnostics,
                                               RecordProgram record, CollectedCalls& calls);

// Puts the section for the options' number of clusters, or for one that is accurate enough, into
// the plan and, if `record` says so, what every process did and the errors. `calls` is null if
// nothing was collected.
void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, RecordProgram record = RecordProgram::no,
                     CollectedCalls* calls = nullptr);

// Whether to record the loops that processes have only for maps, for which some processes are read
// again.
enum class RecordMaps : bool { no, yes };

// Puts what every process did into the plan, in the iterations that `folding` would fold, without
// unsure loops: the same as fold_iterations() records. Throws Error(input), Error(interrupted).
void record_program(const Archive& archive, Plan& plan, const std::optional<FoldOptions>& folding,
                    RecordProgram record, const ReadOptions& reading, Diagnostics& diagnostics,
                    CollectedCalls* calls = nullptr, RecordMaps maps = RecordMaps::yes);

}  // namespace tracefold
