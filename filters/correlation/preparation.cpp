#include "filters/correlation/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tracefold::correlation {

template <class Body>
void Preparation::each_stretch(std::size_t first, std::size_t count, Body&& body) const {
  const auto end = first + count;

  for (auto point = first; point < end;) {
    const auto group = group_of_[point];
    auto stop = point + 1;
    while (stop < end && group_of_[stop] == group)
      ++stop;

    if (group != absent)
      body(point, stop - point, group);
    point = stop;
  }
}

Preparation::Preparation(const Grid& grid)
    : has_holes_(!grid.present.empty()), counts_(count_lines(grid)) {
  for (std::size_t point = 0; point < grid.count_points(); ++point) {
    const bool is_there = grid.has(point);
    const auto group = static_cast<std::uint32_t>(find_line(grid, point));
    group_of_.push_back(is_there ? group : absent);
    counts_[group] += is_there;
  }
}

BatchMeans Preparation::find_means(const double* values) const {
  BatchMeans out;
  out.means.resize(counts_.size() * batch_views);
  alignas(64) std::array<double, batch_views> largest{};

  each_stretch(0, group_of_.size(), [&](std::size_t point, std::size_t count, std::size_t group) {
    double* sums = out.means.data() + group * batch_views;

    for (std::size_t i = 0; i < count; ++i) {
      const double* row = values + (point + i) * batch_views;
      for (std::size_t view = 0; view < batch_views; ++view) {
        sums[view] += row[view];
        largest[view] = std::max(largest[view], std::abs(row[view]));
      }
    }
  });

  for (std::size_t group = 0; group < counts_.size(); ++group)
    for (std::size_t view = 0; view < batch_views; ++view)
      if (counts_[group] > 0)
        out.means[group * batch_views + view] /= counts_[group];

  for (std::size_t view = 0; view < batch_views; ++view)
    out.scales[view] = largest[view] > 0 ? 1 / largest[view] : 0;
  return out;
}

void Preparation::write(const Kernels& kernels, const double* values, const BatchMeans& means,
                        std::size_t first, std::size_t count, float* out, BatchSizes& sizes) const {
  if (has_holes_)
    std::memset(out, 0, count * batch_views * sizeof(float));

  each_stretch(first, count, [&](std::size_t point, std::size_t length, std::size_t group) {
    kernels.centre(values + point * batch_views, means.means.data() + group * batch_views,
                   means.scales.data(), out + (point - first) * batch_views, length,
                   sizes.squares.data());
  });

  kernels.raise_maxima(out, nullptr, count, sizes.maxima.data());
}

std::array<double, batch_views> correlate_plainly(const Grid& grid, const double* query,
                                                  const double* values) {
  const auto points = grid.count_points();
  double present = 0;
  double query_sum = 0;
  double query_largest = 0;
  alignas(64) std::array<double, batch_views> sums{};
  alignas(64) std::array<double, batch_views> largest{};

  for (std::size_t p = 0; p < points; ++p) {
    if (!grid.has(p))
      continue;
    ++present;
    query_sum += query[p];
    query_largest = std::max(query_largest, std::abs(query[p]));
    for (std::size_t view = 0; view < batch_views; ++view) {
      const auto value = values[p * batch_views + view];
      sums[view] += value;
      largest[view] = std::max(largest[view], std::abs(value));
    }
  }

  double query_squares = 0;
  alignas(64) std::array<double, batch_views> squares{};
  alignas(64) std::array<double, batch_views> products{};
  const auto query_mean = query_sum / present;
  for (auto& sum : sums)
    sum /= present;

  for (std::size_t p = 0; p < points; ++p) {
    if (!grid.has(p))
      continue;
    const auto of_query = query[p] - query_mean;
    query_squares += of_query * of_query;
    for (std::size_t view = 0; view < batch_views; ++view) {
      const auto value = values[p * batch_views + view] - sums[view];
      squares[view] += value * value;
      products[view] += value * of_query;
    }
  }

  // What is left of a view that does not vary is rounding.
  const auto varies = [&](double sum_of_squares, double most) {
    return std::sqrt(sum_of_squares / present) > 1e-13 * most;
  };

  std::array<double, batch_views> out{};
  for (std::size_t view = 0; view < batch_views; ++view)
    if (varies(squares[view], largest[view]) && varies(query_squares, query_largest))
      out[view] = products[view] / std::sqrt(squares[view] * query_squares);
  return out;
}

}  // namespace tracefold::correlation
