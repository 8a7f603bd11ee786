// Weighted points as doubles in one block of memory, for means and squared distances.
//
// All coordinates are divided by the largest one, which keeps ratios of distances and makes squares
// small. Sums are taken in the order of points and without contraction (see CMakeLists.txt), so
// that results are the same on all machines with IEEE arithmetic.
#pragma once

#include "lattice/medoid.hpp"

#include <span>

namespace tracefold::lattice {

class ScaledPoints {
 public:
  // weights[i], at least 1, is the number of processes that points[i] stands for.
  ScaledPoints(const Points& points, const std::vector<std::uint64_t>& weights);
  std::size_t size() const { return weights_.size(); }
  std::size_t dimensions() const { return dimensions_; }
  std::span<const double> at(std::size_t i) const {
    return {coordinates_.data() + i * dimensions_, dimensions_};
  }
  double weight(std::size_t i) const { return weights_[i]; }

 private:
  std::size_t dimensions_;
  std::vector<double> coordinates_, weights_;
};

inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d)
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

// The mean silhouette of clusters 0, 1, …, in [-1, 1]; 0 for a single cluster. It is computed for
// at most 1,024 points: each cluster has its share of these, drawn with `seed`, each standing for
// the weight of those not drawn. So even small clusters are represented.
double compute_mean_silhouette(const ScaledPoints& points, const std::vector<std::size_t>& clusters,
                               std::uint64_t seed);

}  // namespace tracefold::lattice
