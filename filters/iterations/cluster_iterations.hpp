// Chooses the iterations of several processes to keep, the same ones for all, so that messages
// between them stay matched.
//
// A joint iteration is iteration i of all processes. Its call trees are equivalent to others if
// those of each process are: strongly, or weakly if there are more strong classes than half of the
// wanted clusters. Only equivalent iterations stand for each other; but if there are also more weak
// classes than wanted clusters, only the metrics decide. (On task programs, this has less than half
// of the errors of keeping large classes apart.) Iterations are compared by condensed vectors: that
// of all processes together, with each metric divided by its mean over iterations, and, with a
// sixteenth of the weight, that of each kept process. Execution time counts four times.
//
// While events are read, 4 bytes for each measured column and 16 more are recorded for each
// iteration of a process, in any order of processes. For P processes that is P · iterations · (4 ·
// columns + 16) bytes: 128 MB for 64 processes with 20,000 iterations and 21 columns. Less would
// need reading all processes in step. Choosing takes at most another 17 MB plus 8 KB for each
// metric of a kept process, or 16 bytes for each pair of clusters if there are more than a
// thousand.
//
// Source: dynamics 4.1, there on-line and per process only; docs/design.md, the rule
// "collapsed iterations", for the same iterations in all kept processes. Vectors of all processes
// side by side, clustered on-line, have 3 to 7 times the errors: chance differences of single
// processes decide what is near.
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/online_clusters.hpp"
#include "model/iterations/iteration_section.hpp"

namespace tracefold {

struct IterationSeries {
  std::vector<float> sums;      // by iteration and column: sum over all call paths
  std::vector<TreeHash> trees;  // by iteration

  std::size_t iterations() const { return trees.size(); }
  std::size_t bytes() const {
    return sums.capacity() * sizeof(float) + trees.capacity() * sizeof(TreeHash);
  }
};
auto list_members(Like<IterationSeries> auto& series) {
  return std::tie(series.sums, series.trees);
}

// Records the series of one process. One thread at a time.
class SeriesRecorder {
 public:
  SeriesRecorder(const MetricColumns& columns, bool sampled)
      : form_(columns), classes_(columns, sampled) {}
  static std::uint64_t bytes_per_iteration(const MetricColumns& columns) {
    return columns.size() * sizeof(float) + sizeof(TreeHash);
  }
  void add(const CallPathProfile& profile);
  IterationSeries take() &&;

 private:
  CondensedForm form_;
  CallTreeClasses classes_;
  IterationSeries series_;
};

// The medoid of each cluster is kept (filters/iterations/choose_medoids.hpp). The first and the
// last iteration and those of `keep` are also kept and stand only for themselves, in addition to
// the clusters. There are fewer clusters than wanted if fewer represent all iterations exactly.
// `totals` are the sums over all processes that are to be represented, kept or not, by iteration
// and metric; empty: those of `processes`. The recorders have decided what of call trees is
// compared; options.sampled is ignored. Deterministic for the order of series. For one process, it
// is a choice for that process alone.
KeptIterations choose_iterations(std::span<const IterationSeries> processes,
                                 const MetricColumns& columns, const ClusterOptions& options = {},
                                 const std::vector<std::uint64_t>& keep = {},
                                 std::span<const double> totals = {});

// Keeps the iterations of the same loop that another run has kept, as far as they exist here, and
// the first and last ones. Any other iteration is represented as it was there or, where that one is
// not kept or calls something else, by the nearest iteration with the same calls. Iterations
// without such a one are kept, too; if that makes more than the wanted clusters, iterations with
// other call paths may represent them.
KeptIterations choose_same_iterations(std::span<const IterationSeries> processes,
                                      const MetricColumns& columns, const ClusterOptions& options,
                                      const LoopRule& rule, std::span<const double> totals = {});

}  // namespace tracefold
