// Incremental clustering of iterations by vectors, within classes.
//
// Each new iteration is a cluster. If there are more clusters than wanted, the two nearest ones of
// a class are merged, until there are few enough or each class has a single cluster. Each iteration
// has a strong and a weak class. Strong classes are used until clusters must be merged and there
// are too many of them; from then on, weak ones are used. So at most max(max_clusters, weak
// classes) clusters remain.
//
// The distance is the Manhattan distance of mean vectors, with each element divided by its mean
// over all iterations so far (elements that were always 0 do not count), times size_multiplier() of
// the iterations in both clusters. Distances are computed when clusters must be merged for the
// first time; each one is computed once and kept as long as both clusters exist, even though means
// change. Of equal distances, the pair with the earliest first iteration is taken.
//
// Time for each iteration: O(clusters · elements) for at most two rounds of distances, and
// O(clusters + classes) to find the nearest pair, at most O(clusters²). Memory: O(clusters²)
// distances, two vectors for each cluster, 4 bytes for each iteration. The result depends only on
// vectors, classes and their order. One thread at a time.
//
// Source: dynamics 4.1.1 to 4.1.4.
#pragma once

#include "filters/iterations/cluster_distances.hpp"
#include "model/iterations/iteration_section.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// m(n) of dynamics 4.1: small clusters are merged sooner than large ones.
inline double size_multiplier(std::uint64_t iterations) {
  const double linear = 0.4 + 0.05 * static_cast<double>(iterations);
  return iterations <= 12 ? linear : std::sqrt(linear);
}

struct ClusterOptions {
  std::size_t max_clusters = 64;  // 0 counts as 1
  std::optional<std::size_t>
      max_strong_classes;  // half of max_clusters, but at least 1, where not given
  bool sampled = false;    // only what leads to MPI is compared in call trees
};

// Disjoint sets of the numbers 0, 1, 2, …, with 4 bytes each.
//
// The cell of a root has the size of its set, any other cell the next number on the way to its
// root. Sets are joined by size, and each search halves the paths that it follows: nearly constant
// time. At most 2^31 - 1 numbers. One thread at a time.
//
// Source: dynamics 4.1.1; Tarjan (1975).
class DisjointSets {
 public:
  static constexpr std::size_t most = (std::size_t{1} << 31) - 1;

  // Adds the next number as a set of its own.
  void add() { cells_.push_back(root_bit | 1); }

  std::uint32_t find(std::uint32_t x) {
    while (!is_root(x)) {
      const auto next = cells_[x];
      if (is_root(next))
        return next;
      x = cells_[x] = cells_[next];
    }

    return x;
  }

  // Joins two sets, which must be different, and returns the new root.
  std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (set_size(a) < set_size(b))
      std::swap(a, b);
    cells_[a] += set_size(b);
    cells_[b] = a;

    return a;
  }

  std::size_t size() const { return cells_.size(); }
  std::size_t bytes() const { return cells_.capacity() * sizeof(cells_[0]); }

 private:
  static constexpr std::uint32_t root_bit = 1u << 31;
  bool is_root(std::uint32_t x) const { return (cells_[x] & root_bit) != 0; }
  std::uint32_t set_size(std::uint32_t root) const { return cells_[root] & ~root_bit; }

  std::vector<std::uint32_t> cells_;
};

class OnlineClusters {
 public:
  using Slot = std::uint32_t;        // of a cluster; reused when it is gone
  using ClassIndex = std::uint32_t;  // 0, 1, 2, … in the order of first use
  struct Merge {
    Slot into = 0, from = 0;  // `into` has the earlier first iteration
  };
  struct Added {
    Slot slot = 0;
    std::span<const Merge> merges;  // in order; valid until the next iteration is added
  };
  struct Cluster {
    std::uint32_t first = 0;  // iteration
    std::uint32_t count = 0;  // number of iterations; 0 in a free slot
    ClassIndex in_class = 0;
    std::uint32_t place = 0;  // in its class
  };

  OnlineClusters(std::size_t elements, const ClusterOptions& options);

  // Elements are 0 or more. Each strong class belongs to one weak class; when equivalence() is
  // weak, strong classes are ignored. Throws Error(input) for more than 2^31 - 1 iterations.
  Added add(ClassIndex strong, ClassIndex weak, std::span<const double> vector);

  std::size_t iterations() const { return sets_.size(); }
  std::size_t size() const { return size_; }
  std::size_t classes() const { return classes_.size(); }
  CallTreeEquivalence equivalence() const { return equivalence_; }
  std::vector<Slot> slots() const;  // of the clusters, ascending by first iteration
  const Cluster& cluster(Slot slot) const { return clusters_[slot]; }
  std::vector<std::uint32_t> number_clusters();  // by iteration: index into slots()
  std::size_t bytes() const;

 private:
  struct Class {
    std::vector<Slot> members;
    ClusterDistances pairs;  // by member, once distances are computed
    std::optional<ClusterDistances::Pair> nearest;
  };
  Slot take_slot();
  void enter(Slot slot, ClassIndex in_class);
  void merge_until_few();
  bool merge_nearest();
  void merge(Class& in, const ClusterDistances::Pair& pair);
  void compute_all(Class& in);
  void regroup();
  double distance(Slot a, Slot b) const;
  const std::vector<double>& distances_from(Slot slot, const Class& in);
  double* get_sum(Slot slot) { return sums_.data() + slot * stride_; }
  double* get_mean(Slot slot) { return means_.data() + slot * stride_; }
  const double* get_mean(Slot slot) const { return means_.data() + slot * stride_; }
  void set_mean(Slot slot);

  std::size_t elements_, stride_;  // vectors are padded with zeros
  std::size_t max_clusters_, max_strong_;
  std::size_t size_ = 0;
  CallTreeEquivalence equivalence_ = CallTreeEquivalence::strong;
  bool computed_ = false;  // whether there are distances
  std::vector<Cluster> clusters_;
  std::vector<Slot> free_;
  std::vector<double> sums_, means_;      // by slot
  std::vector<double> totals_, weights_;  // by element: over all iterations, and 1 / mean or 0
  std::vector<Class> classes_;
  std::vector<ClassIndex> weak_of_;  // by strong class
  DisjointSets sets_;
  std::vector<Merge> merges_;
  std::vector<double> distances_;
};

}  // namespace tracefold
