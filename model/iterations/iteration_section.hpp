// The plan's section `iterations`: which iterations of the kept processes stay.
//
// A loop folds on all processes that are aligned: they have as many loops with as many
// iterations each. Processes that are not listed stay whole. Plain data.
#pragma once

#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loops.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Iterations with the same call paths: strong, each visited as often; weak, however often.
enum class CallTreeEquivalence : std::uint8_t { strong, weak };

struct KeptIterations {
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint64_t> counts;   // by kept iteration: how many it stands for, itself included
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it
  std::vector<std::uint32_t> cluster_of;  // by iteration: its cluster, numbered by first iterations
  std::size_t clusters = 0;
  std::size_t excess =
      0;  // clusters above those that were wanted, because there are as many classes
  std::size_t classes = 0;
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;
};

// How near what stands for iterations comes to them, summed over processes. Shares
// from 0 to 1. Source: dynamics 4.2.2.
struct IterationFidelity {
  double mean = 0, maximum = 0;  // average error of the mean and of the maximum over processes, per
                                 // iteration, over all metrics
  double time_mean = 0, time_maximum = 0;    // of execution time only
  double count_mean = 0, count_maximum = 0;  // of counts and bytes only
  bool counts_exact = true;                  // on every process in every iteration
  std::array<double, 6> times_above{},
      counts_above{};  // share of call paths whose error is above 0, 1e-5, … 1e-1 of the metric's
                       // largest value
  std::uint64_t call_paths = 0, phantoms = 0,
                mpi_phantoms =
                    0;  // in all iterations; phantoms are only in what stands for an iteration

  bool operator==(const IterationFidelity&) const = default;
};

struct FoldedLoop {
  KeptIterations choice;
  std::optional<IterationFidelity> kept;   // of the kept iterations
  std::optional<IterationFidelity> local;  // of each process's own clusters
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
};

}  // namespace tracefold
