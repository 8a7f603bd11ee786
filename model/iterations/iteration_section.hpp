// The plan's section `iterations`: which iterations of the kept processes are kept.
//
// A loop is folded on all aligned processes at once. Processes are aligned where they have equally
// many loops, with equally many iterations each. Processes that are not listed keep all of their
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
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint64_t> counts;   // by kept iteration: how many it stands for, itself included
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it
  std::vector<std::uint32_t> cluster_of;  // by iteration: its cluster, numbered by first iterations
  std::size_t clusters = 0;
  std::size_t classes = 0;  // of call trees; where they were merged: the weak ones before that
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;
};

// Errors of entire iterations, of the mean and of the maximum over processes. Shares: each error
// is divided by its iteration's own value, and the average taken over iterations, and over the
// metrics that are not 0 throughout: those of dynamics, which has no times of waiting but that for
// late senders. Those by sum are divided by the sum over all iterations instead, so that
// iterations that did next to nothing do not count. Source: dynamics 4.2.2.
struct ErrorSummary {
  double mean = 0, maximum = 0;              // of all metrics
  double time_mean = 0, time_maximum = 0;    // of execution time only
  double count_mean = 0, count_maximum = 0;  // of counts and bytes only
  double mean_by_sum = 0, time_by_sum = 0;   // of the mean
  bool counts_exact = true;                  // on every process in every iteration
  // The error of all times of waiting that were measured, together; none: none was measured.
  std::optional<double> waiting_by_sum = {};

  bool operator==(const ErrorSummary&) const = default;
};

// How near what stands for iterations comes to them, summed over processes.
struct IterationFidelity : ErrorSummary {
  // Share of call paths whose error is above 0, 1e-5, … 1e-1 of the metric's largest value.
  std::array<double, 6> times_above{}, counts_above{};
  // In all iterations; phantoms are only in what stands for an iteration.
  std::uint64_t call_paths = 0, phantoms = 0, mpi_phantoms = 0;
  // What functions differ by, summed over iterations and call paths, as shares of all time in
  // iterations; the largest ones, largest first. None: not looked at, as of own clusters.
  std::optional<std::vector<FunctionError>> functions = {};

  bool operator==(const IterationFidelity&) const = default;
};

// What is lost where the kept iterations of representatives stand for all iterations of all
// processes, and how much of that would be lost if only one of both were folded.
struct FoldingErrors {
  std::uint64_t processes = 0;   // that were measured
  std::uint64_t unmeasured = 0;  // that have other loops than what stands for them
  ErrorSummary all;
  ErrorSummary of_processes;   // each stands for its group with all of its iterations
  ErrorSummary of_iterations;  // each process has its own kept iterations

  bool operator==(const FoldingErrors&) const = default;
};

struct FoldedLoop {
  KeptIterations choice;
  std::optional<IterationFidelity> kept;          // of the kept iterations
  std::optional<IterationFidelity> own_clusters;  // of clusters that each process makes for itself,
                                                  // where numbers of clusters are compared
  std::optional<FoldingErrors> all = {};          // where all processes were measured
};

struct AlignedProcess {
  std::size_t process = 0;  // index into Plan::processes
  ProcessLoops loops;       // of each its source, function and iterations
};

struct IterationSection {
  AskedIterations asked;
  std::size_t max_clusters = 64;
  std::vector<FoldedLoop> loops;          // by time; empty: there is none
  std::vector<AlignedProcess> processes;  // ascending
  // What else was asked for: see FoldOptions.
  bool folds_unsure = false;
  std::vector<std::uint64_t> keep = {};
  std::vector<LoopRule> like = {};
};

// One of several numbers of clusters that are compared; errors where they were measured.
struct ComparedClusters {
  IterationSection section;
  std::optional<FoldErrors> errors = {};
};

// The options that give such a section.
inline FoldOptions list_options(const IterationSection& section) {
  return {section.asked, section.max_clusters, section.folds_unsure, section.keep, {},
          section.like};
}

}  // namespace tracefold
