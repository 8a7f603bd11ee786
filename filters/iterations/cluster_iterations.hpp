// Which iterations to keep of several processes together, so that messages between
// them stay matched.
//
// A joint iteration is iteration i of all processes: its vector is theirs one behind
// the other, each element divided by that process's own mean, and its call trees are
// equivalent where those of every process are. They are clustered as the iterations
// of one process are (filters/online_clusters.hpp). Processes must have as many
// iterations each; one that has not cannot take part.
//
// What has to be known of a process, 4 bytes for each measured column and 16 for each
// iteration, is recorded while its events are read, in any order of processes. For P
// processes that is P · iterations · (4 · columns + 16) bytes: 128 MB of 64 processes
// with 20,000 iterations and 21 columns. Less would take reading all processes in step.
// Choosing adds two vectors of all processes' elements per cluster.
//
// Source: dynamics 4.1, there per process only; that kept processes keep the same
// iterations is rule 7 of rewriting.
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

// Of each cluster its medoid stays: the iteration with the smallest sum of distances to
// the others, with the means over all iterations, and the earliest of equals. The first
// and the last iteration stay too, each for itself, and so do those of `keep` that there
// are: at most so many above the clusters. The
// same for the same series in the same order. What of call trees is compared the recorders
// decided; options.sampled is not looked at. Of one process it is a choice for that one
// alone. Takes O(I · (C · D + log I · D)) for I iterations and D elements of all processes.
KeptIterations choose_iterations(std::span<const IterationSeries> processes,
                                 const MetricColumns& columns, const ClusterOptions& options = {},
                                 const std::vector<std::uint64_t>& keep = {});

}  // namespace tracefold
