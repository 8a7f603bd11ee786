// How near what stands for a loop's iterations comes to them, on all processes: the
// iterations that are kept, and, as published, each process's own clusters.
//
// A kept process's iterations are given twice, in order: what stands for the first of them
// may come last. Several choices can be measured at once, and a loop too long for the
// memory in windows of its iterations: processes are then given once for each window.
//
// What is known of processes that are not kept are sums over call paths, of all of them together.
//
// Memory: per kept process and choice as many profiles as there are clusters or kept
// iterations, and 16 bytes for each metric and iteration of the window; of all kept
// processes bytes_per_iteration() of the window.
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

// What is to be measured: kept iterations of a loop; and, where it is wanted, clusters that each
// process makes for itself.
struct MeasuredChoice {
  const KeptIterations* kept = nullptr;
  std::optional<ClusterOptions> own_clusters;
};

// The errors of one process. One thread at a time.
class ProcessFoldingErrors {
 public:
  ProcessFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                       IterationWindow window = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns) {
    return CondensedForm(columns).size() * sizeof(Wide);
  }

  // The first round takes all iterations, whatever the window.
  void first(std::size_t iteration, const CallPathProfile& profile);
  void begin_second_round();
  // The second round takes the iterations of the window, or all.
  void second(std::size_t iteration, const CallPathProfile& profile);
  // Another window, in the second round; windows ascend. What was found in the one before is
  // forgotten.
  void begin(IterationWindow next);

 private:
  friend class LoopFoldingErrors;

  // What stands for iterations: kept ones, or the mean of a cluster.
  struct StandIns {
    std::vector<const ProfileSums*> profiles = {};
    std::span<const std::uint32_t> places = {};  // there, by iteration
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
  // What an iteration of the window has, by metric.
  std::span<const Wide> get_metrics(std::size_t iteration) const {
    return std::span(metrics_).subspan((iteration - window_.first) * form_.size(), form_.size());
  }

  MetricColumns columns_;
  CondensedForm form_;
  std::vector<const KeptIterations*> choices_;
  std::vector<std::optional<OwnClusters>> own_;  // by choice
  std::map<std::size_t, ProfileSums> kept_;      // by iteration that any choice keeps
  std::vector<std::uint64_t> largest_;           // by column, of a call path in an iteration
  // After the first round, by choice: of kept iterations, and of own clusters where it has some.
  std::vector<StandIns> stand_ins_;
  std::size_t iterations_ = 0;  // of the loop
  IterationWindow window_;
  std::vector<Wide> metrics_;  // by iteration of the window and metric
};

// The errors of one loop on all measured processes, kept or not: of folding processes and
// iterations, and of either alone. The figures do not depend on how long windows are.
class AllFoldingErrors {
 public:
  AllFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                   std::size_t iterations);

  // The iterations that any of the choices keeps, ascending; totals need to hold them besides.
  std::vector<std::uint32_t> list_kept() const;
  // Adds the totals of all processes. Windows ascend, and hold each iteration once.
  void add(const JointTotals& totals);

  // By choice, of so many processes.
  std::vector<FoldingErrors> figures(std::uint64_t processes) const;

 private:
  // What stands for iterations, beside these.
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

// The same where every process is kept, and stands for itself.
FoldingErrors make_folding_errors(const ErrorSummary& of_kept, std::uint64_t processes);

// The errors of all kept processes: added in one order, the figures are the same to the last bit.
class LoopFoldingErrors {
 public:
  LoopFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                    IterationWindow first = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices);
  // Windows ascend, and hold each iteration once.
  void begin(IterationWindow next);
  // A process that was measured in this window, with all of its call paths, by number. Their
  // functions are below those of figures().
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

  std::vector<Errors> errors_;          // as ProcessFoldingErrors has stand-ins
  std::vector<bool> has_own_clusters_;  // by choice
};

}  // namespace tracefold
