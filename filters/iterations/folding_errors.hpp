// How near what stands for a loop's iterations comes to them, on all processes: the
// iterations that are kept, and, as published, each process's own clusters.
//
// A kept process's iterations are given twice, in order: what stands for the first of them
// may come last. Several choices can be measured at once, and a loop too long for the
// memory in windows of its iterations: processes are then given once for each window.
//
// Of processes that are not kept only sums over call paths are known, of all of them together.
//
// Memory: per kept process and choice as many profiles as there are clusters or kept
// iterations, and 24 bytes for each metric and iteration of the window; of all kept
// processes bytes_per_iteration() of the window.
// Source: dynamics 4.2.2 (quality assessment).
#pragma once

#include "filters/iterations/iteration_errors.hpp"
#include "filters/iterations/joint_totals.hpp"
#include "filters/iterations/process_clusters.hpp"
#include "model/iterations/iteration_section.hpp"

#include <map>
#include <vector>

namespace tracefold {

// What is to be measured: kept iterations of a loop; and, where it is wanted, clusters that each
// process makes for itself.
struct MeasuredChoice {
  const KeptIterations* kept = nullptr;
  std::optional<ClusterOptions> own_clusters;
};

// The metrics of a process's iterations: of those of a window, and of those that any choice keeps.
// Memory: 24 bytes for each metric and iteration of them. One thread at a time.
class ProcessEntries {
 public:
  ProcessEntries(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                 IterationWindow window = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns) {
    return CondensedForm(columns).size() * (sizeof(Wide) + sizeof(double));
  }

  // What is kept stays known; windows ascend.
  void begin(IterationWindow next);
  // Each iteration once, in order.
  void add(std::size_t iteration, const CallPathProfile& profile);
  // The same for one that is kept, without those of the window.
  void add_kept(std::size_t iteration, const CallPathProfile& profile);

  const CondensedForm& form() const { return form_; }
  // By metric.
  IterationEntries get_inside(std::size_t iteration) const {
    return inside_.get((iteration - window_.first) * form_.size(), form_.size());
  }
  IterationEntries get_kept(std::size_t iteration) const {
    return kept_.get(kept_places_.at(iteration), form_.size());
  }

 private:
  // By iteration and metric.
  struct Table {
    std::vector<Wide> exact;
    std::vector<double> rounded;

    void resize(std::size_t size);
    void set(std::size_t first, std::span<const Wide> entries);
    IterationEntries get(std::size_t first, std::size_t size) const {
      return {std::span(exact).subspan(first, size), std::span(rounded).subspan(first, size)};
    }
  };

  CondensedForm form_;
  std::size_t iterations_ = 0;  // of the loop
  IterationWindow window_;
  Table inside_;  // by iteration of the window
  Table kept_;
  std::map<std::size_t, std::size_t> kept_places_;  // in that table, by iteration
  std::vector<Wide> entries_;                       // of the iteration at hand
};

// Of one process. One thread at a time.
class ProcessFoldingErrors {
 public:
  ProcessFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                       IterationWindow window = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns) {
    return ProcessEntries::bytes_per_iteration(columns);
  }

  // Of all iterations, whatever the window.
  void first(std::size_t iteration, const CallPathProfile& profile);
  // Between both rounds.
  void turn();
  // Of those of the window, or of all.
  void second(std::size_t iteration, const CallPathProfile& profile);
  // Another window, in the second round. What was found in the one before is forgotten.
  void begin(IterationWindow next);

  // Of the window, after the second round.
  const ProcessEntries& entries() const { return entries_; }

 private:
  friend class LoopFoldingErrors;

  // What the process's own clusters are, and lose.
  struct OwnClusters {
    OwnClusters(const MetricColumns& columns, const ClusterOptions& options)
        : clusters(columns, options) {}
    ProcessClusters clusters;
    std::vector<std::uint32_t> cluster_of;     // by iteration
    std::vector<const ProfileSums*> profiles;  // by cluster
    std::optional<CallPathErrors> errors;      // after the first round
  };
  struct Choice {
    const KeptIterations* kept = nullptr;
    std::optional<CallPathErrors> of_kept = {};  // after the first round
    std::optional<OwnClusters> own = {};
  };
  std::vector<Wide> condense(const ProfileSums& profile) const;

  MetricColumns columns_;
  std::vector<Choice> choices_;
  IterationWindow window_;
  ProcessEntries entries_;
  std::map<std::size_t, ProfileSums> kept_;  // by iteration that any choice keeps
  std::vector<std::uint64_t> largest_;       // by column, of a call path in an iteration
};

// The errors of one loop on all measured processes, kept or not: of folding processes and
// iterations, and of either alone. The figures do not depend on how long windows are.
class AllFoldingErrors {
 public:
  AllFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                   std::size_t iterations);

  // The iterations that any of the choices keeps, ascending; totals need to hold them besides.
  std::vector<std::uint32_t> list_kept() const;
  // Of all processes. Windows ascend, and hold each iteration once.
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

// Of all kept processes: added in one order, the figures are the same to the last bit.
class LoopFoldingErrors {
 public:
  LoopFoldingErrors(const MetricColumns& columns, const std::vector<MeasuredChoice>& choices,
                    IterationWindow first = {});

  static std::uint64_t bytes_per_iteration(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices);
  // Windows ascend, and hold each iteration once.
  void begin(IterationWindow next);
  // A process that was measured in this window.
  void add(const ProcessFoldingErrors& process);

  struct Figures {
    IterationFidelity kept;
    std::optional<IterationFidelity> own_clusters;
  };
  std::vector<Figures> figures() const;  // by choice

 private:
  struct Errors {
    IterationErrors iterations;
    std::optional<CallPathErrors> paths;
    void add(const CallPathErrors& more);
    IterationFidelity figures() const;
  };
  struct Choice {
    Errors kept;
    std::optional<Errors> own_clusters;
  };
  std::vector<Choice> choices_;
};

}  // namespace tracefold
