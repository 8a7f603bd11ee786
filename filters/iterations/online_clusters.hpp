// Incremental clustering of iterations by vectors, in classes that never mix.
//
// Each iteration becomes a cluster. Above the most that are wanted, the two nearest
// clusters of one class become one, until there are few enough or each class has one
// cluster left. Iterations come with a strong class and a weak one: strong classes
// count until clusters have to be merged while there are too many of them; then, for
// good, the weak ones do. So at most max(max_clusters, weak classes) clusters remain.
//
// Distance: Manhattan, between mean vectors, each element divided by its mean over all
// iterations so far (the new one included; an element that was 0 in all of them
// contributes nothing), times size_multiplier of the iterations in both. The first
// distances are computed when clusters first have to be merged; each is computed once
// and stays while both clusters do, though means drift. Equal distances: the pair with
// the earliest first iteration.
//
// Time per iteration: O(clusters · elements) for at most two rounds of distances, and
// O(clusters + classes) to find the nearest pair, O(clusters²) at worst. Memory:
// O(clusters²) distances, two vectors per cluster, 4 bytes per iteration. The result
// depends on vectors, classes and their order only. One thread at a time.
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

// m(n) of dynamics 4.1, which makes small clusters merge sooner than large ones.
inline double size_multiplier(std::uint64_t iterations) {
  const double linear = 0.4 + 0.05 * static_cast<double>(iterations);
  return iterations <= 12 ? linear : std::sqrt(linear);
}

struct ClusterOptions {
  std::size_t max_clusters = 64;  // 0 counts as 1
  std::optional<std::size_t>
      max_strong_classes;  // half of max_clusters, but at least 1, where not given
  bool sampled = false;    // call trees are compared by what leads to MPI only
};

// Disjoint sets of the numbers 0, 1, 2, …, in 4 bytes each.
//
// A root holds the size of its set, every other number the next one on the way to its root. Sets
// are joined by size, and paths are halved when they are walked, so that even a search changes
// them: nearly constant time. At most 2^31 - 1 numbers. One thread at a time.
//
// Source: dynamics 4.1.1; Tarjan (1975).
class DisjointSets {
 public:
  static constexpr std::size_t most = (std::size_t{1} << 31) - 1;

  // A set of its own for the next number.
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

  // The new root of two sets that are not one.
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
  using Slot = std::uint32_t;        // of a cluster, reused when it is gone
  using ClassIndex = std::uint32_t;  // 0, 1, 2, … in the order of first use
  struct Merge {
    Slot into = 0, from = 0;  // `into` has the earlier first iteration
  };
  struct Added {
    Slot slot = 0;
    std::span<const Merge> merges;  // in their order; valid until the next iteration is added
  };
  struct Cluster {
    std::uint32_t first = 0;  // iteration
    std::uint32_t count = 0;  // of iterations; 0 in a slot that is free
    ClassIndex in_class = 0;
    std::uint32_t place = 0;  // in its class
  };

  OnlineClusters(std::size_t elements, const ClusterOptions& options);

  // Elements are 0 or more. A strong class is in one weak class; once equivalence()
  // is weak, strong classes are ignored. Throws Error(input) past 2^31 - 1 iterations.
  Added add(ClassIndex strong, ClassIndex weak, std::span<const double> vector);

  std::size_t iterations() const { return sets_.size(); }
  std::size_t size() const { return size_; }
  std::size_t classes() const { return classes_.size(); }
  CallTreeEquivalence equivalence() const { return equivalence_; }
  std::vector<Slot> slots() const;  // of the clusters, ascending by first iteration
  const Cluster& cluster(Slot slot) const { return clusters_[slot]; }
  std::vector<std::uint32_t> number_clusters();  // as an index into slots()
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

  std::size_t elements_, stride_;  // vectors are filled up with zeros
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
