// Which iterations to keep of several processes together, so that messages between
// them stay matched.
//
// A joint iteration is iteration i of all processes, and its call trees are equivalent where those
// of every process are: strongly, or weakly where there are more strong classes than half of the
// clusters wanted. Only equivalent ones stand for each other, unless there are more weak classes,
// too, than clusters wanted: then their metrics alone decide. On tasks this has less than half of
// the errors that keeping the large classes apart has. Iterations are compared by their condensed
// vectors: that of all processes together, each metric divided by its mean over all iterations,
// and, with a sixteenth of that weight, those of each kept process. Execution time weighs four
// times.
//
// What has to be known of a process, 4 bytes for each measured column and 16 for each
// iteration, is recorded while its events are read, in any order of processes. For P
// processes that is P · iterations · (4 · columns + 16) bytes: 128 MB of 64 processes
// with 20,000 iterations and 21 columns. Less would take reading all processes in step.
// Choosing adds at most 17 MB and 8 KB for each metric of a kept process, or 16 bytes for each pair
// of clusters where those are more than a thousand.
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
  std::vector<float> sums;      // iteration by iteration: of each column over all call paths
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

// The medoid of each cluster stays (filters/iterations/choose_medoids.hpp). The first
// and the last iteration stay too, each for itself, and so do those of `keep` that there
// are: at most so many above the clusters. There are fewer clusters than wanted where fewer meet
// all iterations exactly, and never more. `totals` are the sums of all processes that are to be
// met, kept or not, iteration by iteration of each metric; none: those of `processes`. The same for
// the same series in the same order. What of call trees is compared the recorders decided;
// options.sampled is not looked at. Of one process it is a choice for that one alone.
KeptIterations choose_iterations(std::span<const IterationSeries> processes,
                                 const MetricColumns& columns, const ClusterOptions& options = {},
                                 const std::vector<std::uint64_t>& keep = {},
                                 std::span<const double> totals = {});

// The iterations that another run has kept of the same loop, as far as there are so many here, and
// the first and the last one. Each other iteration is stood for by what stood for it there, or
// where that is not kept or calls something else, by the nearest one that calls the same. The first
// of the iterations that none of these may stand for is kept, too; where that would be more than
// the clusters wanted, iterations with other call paths may stand for each other.
KeptIterations choose_same_iterations(std::span<const IterationSeries> processes,
                                      const MetricColumns& columns, const ClusterOptions& options,
                                      const LoopRule& rule, std::span<const double> totals = {});

}  // namespace tracefold
