// The plan's section `iterations`: which iterations of the kept processes are kept.
//
// A loop is folded on all aligned processes together. Processes are aligned if they have the same
// number of loops, with the same numbers of iterations. Processes that are not listed keep all
// iterations. Plain data.
#pragma once

#include "model/errors/fold_errors.hpp"
#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/loop_rule.hpp"
#include "model/iterations/loops.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct KeptIterations {
  std::vector<std::uint32_t> kept;        // iterations, ascending
  std::vector<std::uint64_t> counts;      // by kept iteration: how many it stands for, with itself
  std::vector<std::uint32_t> kept_of;     // by iteration: index into `kept` of what stands for it
  std::vector<std::uint32_t> cluster_of;  // by iteration: its cluster, numbered by first iteration
  std::size_t clusters = 0;
  std::size_t classes = 0;  // of call trees; if merged: of weak ones before merging
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;
};

// Errors of whole iterations, for the mean and the maximum over processes. Each error is divided by
// the value of its iteration, and averaged over iterations and over all metrics that are not always
// 0 (those of dynamics, in which late senders are the only waiting). Errors by sum are divided by
// the sum over all iterations instead, so that iterations with tiny values hardly count. Source:
// dynamics 4.2.2.
struct ErrorSummary {
  double mean = 0, maximum = 0;              // of all metrics
  double time_mean = 0, time_maximum = 0;    // of execution time
  double count_mean = 0, count_maximum = 0;  // of counts and bytes
  double mean_by_sum = 0, time_by_sum = 0;   // of the mean
  bool counts_exact = true;                  // on every process in every iteration
  // The error of all measured times of waiting together; none: none was measured.
  std::optional<double> waiting_by_sum = {};

  bool operator==(const ErrorSummary&) const = default;
};

// How close the kept iterations are to those that they stand for, summed over processes.
struct IterationFidelity : ErrorSummary {
  // Share of call paths whose error is above 0, 1e-5, … 1e-1 of the metric's largest value.
  std::array<double, 6> times_above{}, counts_above{};
  // Number of call paths in all iterations. Phantoms exist only in the iteration that stands for
  // another.
  std::uint64_t call_paths = 0, phantoms = 0, mpi_phantoms = 0;
  // The largest errors by function, summed over iterations and call paths, as shares of all time in
  // iterations. None: not computed, as for a process's own clusters.
  std::optional<std::vector<FunctionError>> functions = {};

  bool operator==(const IterationFidelity&) const = default;
};

// The error of folding both processes and iterations, over all processes, and the error of folding
// only one of them.
struct FoldingErrors {
  std::uint64_t processes = 0;   // that were measured
  std::uint64_t unmeasured = 0;  // whose loops differ from those of their representative
  ErrorSummary all;
  ErrorSummary of_processes;   // each representative keeps all of its iterations
  ErrorSummary of_iterations;  // each process has kept iterations of its own

  bool operator==(const FoldingErrors&) const = default;
};

struct FoldedLoop {
  KeptIterations choice;
  std::optional<IterationFidelity> kept;          // of the kept iterations
  std::optional<IterationFidelity> own_clusters;  // of clusters that each process makes for itself,
                                                  // only where numbers of clusters are compared
  std::optional<FoldingErrors> all = {};          // only where all processes were measured
};

struct AlignedProcess {
  std::size_t process = 0;  // index into Plan::processes
  ProcessLoops loops;       // source, function and iterations of each loop
};

struct IterationSection {
  AskedIterations asked;
  std::size_t max_clusters = 64;
  std::vector<FoldedLoop> loops;          // by time; empty: no loop
  std::vector<AlignedProcess> processes;  // ascending
  // Other options: see FoldOptions.
  bool folds_unsure = false;
  std::vector<std::uint64_t> keep = {};
  std::vector<LoopRule> like = {};
};

// One of several numbers of clusters that are compared, with its errors where they were measured.
struct ComparedClusters {
  IterationSection section;
  std::optional<FoldErrors> errors = {};
};

// The options that lead to this section.
inline FoldOptions list_options(const IterationSection& section) {
  return {section.asked, section.max_clusters, section.folds_unsure, section.keep, {},
          section.like};
}

}  // namespace tracefold
