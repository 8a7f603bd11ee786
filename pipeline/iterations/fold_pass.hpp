// Folds iterations: some iterations are kept, and stand for the others. What is kept, and what is
// lost by it, is the section `iterations` of a plan.
//
// There are five steps, and each takes what the one before has found:
//
//   find      ProcessLoops       find_loops_pass reads events, and finds loops and where their
//                                iterations begin (loop_finder; in filters/iterations:
//                                call_sequence, loop_markers, split_iterations,
//                                find_loops_in_call, choose_loops)
//   align     AlignedProcesses   align_processes says which kept processes fold their iterations
//                                together, and which processes they stand for (align_loops)
//   cluster   KeptIterations     fold_pass reads the profiles of iterations on the kept processes
//                                (iteration_readings) and what all processes did in them together
//                                (measured_totals), and chooses iterations by both
//                                (cluster_iterations, choose_medoids)
//   measure   FoldedLoop         measure_errors compares all iterations with what stands for them
//                                (filters/iterations/errors)
//   fold      IterationSection   the section is put together, and beside it what the kept processes
//                                did in all (kept_aggregates)
//
// When the trace is written, collapse.hpp makes one call of each iteration that is not kept.
//
// `reduce` reads a kept location five times, since each reading needs the one before:
//
//   1  profile      groups and representatives depend on all locations
//   2  find         loops are known only when their last iteration has ended
//   3  cluster      the profile of an iteration needs its begin and end, and late senders
//   4  scan         which messages and definitions stay depends on all locations
//   5  copy         what stays is written
//
// A location that is not kept is mostly read once. While all are profiled, what folding takes of
// them is collected (collected_calls.hpp): which calls they make, when they do what others wait
// for, and what they do in iterations that are guessed by a few locations, which are read before
// (look_ahead.hpp). Where these leave doubt about their loops, all are searched in the same
// reading. A location is read again for 3 where its iterations turn out to be others than those
// that were guessed, as those of threads are, which take their loops from others by time, or where
// nothing was collected of it; for 2 where it makes other calls than what stands for it, and was
// not searched yet; and where what stands for it has no loop, for parts of the run
// (pipeline/program/record_members.hpp).
//
// Errors on the kept processes are measured in two rounds over all iterations, since what stands
// for the first iteration may come last. The profiles of iterations are kept in memory after the
// third reading. Processes whose profiles do not fit (stored_profiles.hpp) are read again for each
// round, and also for each window of iterations if the errors of all iterations do not fit. Of
// processes that are not kept, only sums over call paths are added up, and read where nothing else
// is recorded of them: once if the totals of all iterations fit into memory, else once for each
// window.
//
// Where there are too many kept processes and iterations, an even sample of the processes chooses,
// and a warning says so. The result does not depend on the number of threads, nor on the memory
// limit.
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

// The section for each number of clusters, all from the same readings, and where what every process
// did is recorded, with errors. `loops` are of the plan's processes, as find_loops_to_fold gives
// them. What was collected before (collected_calls.hpp) is not read once more. Throws Error(input),
// Error(interrupted), and Error(usage) where an iteration is to be kept that no loop has.
std::vector<ComparedClusters> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading, Diagnostics& diagnostics,
                                               RecordProgram record, CollectedCalls& calls);

// The same for the number of clusters of the options, or one that is accurate enough, put into the
// plan, with the section `aggregates`, and if it is to be recorded, with what every process did and
// the errors. Null: nothing was collected.
void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, RecordProgram record = RecordProgram::no,
                     CollectedCalls* calls = nullptr);

// Whether what maps of the program take besides is recorded, for which some processes are read
// again.
enum class RecordMaps : bool { no, yes };

// Puts what every process did into the plan, in the iterations that these options would fold, and
// without any of these in unsure ones: the same as fold_iterations() records. Throws Error(input),
// Error(interrupted).
void record_program(const Archive& archive, Plan& plan, const std::optional<FoldOptions>& folding,
                    RecordProgram record, const ReadOptions& reading, Diagnostics& diagnostics,
                    CollectedCalls* calls = nullptr, RecordMaps maps = RecordMaps::yes);

// Where a plan leaves processes out, and with them records that tell metrics of the kept ones: puts
// the section `aggregates` into the plan, without iterations, and with these times of waiting.
// Reads the kept processes once; for times of waiting, all of them before. Throws Error(input),
// Error(interrupted).
void sum_left_out(const Archive& archive, Plan& plan, const std::vector<Metric>& waits,
                  const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
