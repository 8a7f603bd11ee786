// Measures how close what stands for a loop's iterations comes to them, on all processes: the kept
// iterations, and, as published, each process's own clusters.
//
// The iterations of a kept process are passed in order, twice, since what stands for the first one
// may come last. Several choices are measured at once. A loop that does not fit into memory is
// measured in windows of its iterations: the second pass is repeated for each window.
//
// For processes that are not kept, only sums over call paths and processes are known.
//
// Memory: for each kept process and choice as many profiles as clusters or kept iterations, and 16
// bytes for each metric and iteration of the window; for all kept processes bytes_per_iteration()
// for each iteration of the window.
//
// Source: dynamics 4.2.2 (quality assessment).
#pragma once

#include "filters/iterations/errors/iteration_errors.hpp"
#include "filters/iterations/errors/joint_totals.hpp"
#include "filters/iterations/errors/path_differences.hpp"
#include "filters/iterations/process_clusters.hpp"
#include "model/iterations/iteration_section.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// What to measure: the kept iterations of a loop and, if wanted, the clusters that each process
// makes for itself.
struct MeasuredChoice {
  const KeptIterations* kept = nullptr;
  std::optional<ClusterOptions> own_clusters;
};

// Measures the errors of one process. One thread at a time.
class ProcessFoldingErrors {
 public:
  ProcessFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                       IterationWindow window = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns) {
    return CondensedForm(columns).size() * sizeof(Wide);
  }

  // The first round has all iterations, whatever the window.
  void first(std::size_t iteration, const CallPathProfile& profile);
  void begin_second_round();
  // The second round has the iterations of the window, or all.
  void second(std::size_t iteration, const CallPathProfile& profile);
  // Begins another window in the second round, in ascending order. Results of the one before are
  // discarded.
  void begin(IterationWindow next);

 private:
  friend class LoopFoldingErrors;

  // What stands for iterations: kept ones, or means of clusters.
  struct Approximations {
    std::vector<const ProfileSums*> profiles = {};
    std::span<const std::uint32_t> places = {};  // by iteration: index into `profiles`
    std::optional<CallPathErrors> errors = {};   // in the window
    std::optional<PathDifferences> paths = {};   // of kept ones, in the window
  };
  struct OwnClusters {
    OwnClusters(const MetricColumns& columns, const ClusterOptions& options)
        : clusters(columns, options) {}
    ProcessClusters clusters;
    std::vector<std::uint32_t> cluster_of;  // by iteration
  };

  std::vector<Wide> condense(const ProfileSums& profile) const;
  // The values of an iteration of the window, by metric.
  std::span<const Wide> get_metrics(std::size_t iteration) const {
    return std::span(metrics_).subspan((iteration - window_.first) * form_.size(), form_.size());
  }

  MetricColumns columns_;
  CondensedForm form_;
  std::vector<const KeptIterations*> choices_;
  std::vector<std::optional<OwnClusters>> own_;  // by choice
  std::map<std::size_t, ProfileSums> kept_;      // by iteration that any choice keeps
  std::vector<std::uint64_t> largest_;           // by column, of a call path in an iteration
  // After the first round, by choice: kept iterations, then own clusters if it has some.
  std::vector<Approximations> approximations_;
  std::size_t iterations_ = 0;  // of the loop
  IterationWindow window_;
  std::vector<Wide> metrics_;  // by iteration of the window and metric
};

// The errors of one loop over all measured processes, kept or not: of folding processes and
// iterations, and of each alone. Results do not depend on the lengths of windows.
class AllFoldingErrors {
 public:
  AllFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                   std::size_t iterations);

  // The iterations that any choice keeps, ascending. JointTotals must hold them besides the window.
  std::vector<std::uint32_t> list_kept() const;
  // Adds the totals of all processes. Windows are ascending and disjoint.
  void add(const JointTotals& totals);

  // By choice. `processes` is the number of processes.
  std::vector<FoldingErrors> figures(std::uint64_t processes) const;

 private:
  // The errors of what stands for iterations.
  struct Errors {
    std::vector<IterationErrors::Figures> metrics;
    bool counts_exact = true;

    void add(const JointTotals::Amounts& original, const JointTotals::Amounts& rebuilt,
             std::size_t iterations);
    ErrorSummary summarize() const;
  };
  struct Choice {
    const KeptIterations* kept;
    Errors all, of_iterations;
  };
  std::size_t iterations_;
  Errors of_processes_;
  std::vector<Choice> choices_;
};

// The same if every process is kept and stands for itself.
FoldingErrors make_folding_errors(const ErrorSummary& of_kept, std::uint64_t processes);

// The errors of all kept processes. Add processes in the same order to get the same result to the
// last bit.
class LoopFoldingErrors {
 public:
  LoopFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                    IterationWindow first = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices);
  // Begins another window; windows are ascending and disjoint.
  void begin(IterationWindow next);
  // Adds a process that was measured in this window, with all of its call paths by number. Their
  // functions are indexes into those of figures().
  void add(const ProcessFoldingErrors& process, std::span<const CallPath> paths);

  struct Figures {
    IterationFidelity kept;
    std::optional<IterationFidelity> own_clusters;
  };
  // By choice.
  std::vector<Figures> figures(const std::vector<Function>& functions) const;

 private:
  struct Errors {
    IterationErrors iterations;
    std::optional<CallPathErrors> paths = {};
    std::optional<FunctionDifferences> functions = {};  // of kept iterations
    Wide all_time = 0;

    IterationFidelity figures(const std::vector<Function>& names) const;
  };

  std::vector<Errors> errors_;          // by choice, as ProcessFoldingErrors has stand-ins
  std::vector<bool> has_own_clusters_;  // by choice
};

}  // namespace tracefold
