// Prepares views for their correlation: from each value the mean over the chosen axes is
// subtracted, and the rest is rounded to single precision.
//
// Means are taken over the processes that are present; holes of a sparse grid become 0 afterwards.
// So the part of a view that does not vary along the chosen axes is removed exactly, also where
// the grid has holes. All of it is done in double: times are large and vary little.
//
// Values come in batches of 32 views: the values of all views at the first point, then those at
// the second one, and so on. Immutable, safe from any thread.
//
// Source: frequency 3 (the varying part of a view), for sparse grids carried on.
#pragma once

#include "filters/correlation/grid.hpp"
#include "filters/correlation/vector_kernels.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::correlation {

// What a batch has in common over its points.
struct BatchMeans {
  std::vector<double> means;  // of each group of points with the same mean, of each view
  std::array<double, batch_views> scales{};  // 1 / max|v|; 0 of a view that is 0 everywhere
};

// What was written of each view, in units of its scale.
struct BatchSizes {
  alignas(64) std::array<double, batch_views> squares{};
  alignas(64) std::array<float, batch_views> maxima{};

  // What is left of a view that does not vary is rounding.
  bool is_zero(std::size_t view) const { return maxima[view] <= 1e-13f; }
};

class Preparation {
 public:
  explicit Preparation(const Grid& grid);

  BatchMeans find_means(const double* values) const;

  // Writes `count` points from `first` on, which follow each other in the grid.
  void write(const Kernels& kernels, const double* values, const BatchMeans& means,
             std::size_t first, std::size_t count, float* out, BatchSizes& sizes) const;

 private:
  // Calls body(point, count, group) for stretches of present points of one group.
  template <class Body>
  void each_stretch(std::size_t first, std::size_t count, Body&& body) const;

  static constexpr std::uint32_t absent = 0xffffffff;

  bool has_holes_;
  std::vector<std::uint32_t> group_of_;  // of each point, or absent
  std::vector<double> counts_;           // of present points, by group
};

// Pearson's correlation of one view with each view of a batch, over the points that are present:
// 0 where one of them does not vary. `query` has one value for each point.
std::array<double, batch_views> correlate_plainly(const Grid& grid, const double* query,
                                                  const double* values);

}  // namespace tracefold::correlation
