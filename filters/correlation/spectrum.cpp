#include "filters/correlation/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace tracefold::correlation {

namespace {

using Wide = std::complex<double>;

constexpr std::size_t most_products = std::size_t{1} << 26;

// Of all lines along one axis. A view is transformed once, for a drawing, so the definition will
// do.
void transform_axis(std::vector<Wide>& values, std::size_t size, std::size_t stride) {
  std::vector<Wide> roots(size), line(size);
  for (std::size_t i = 0; i < size; ++i)
    roots[i] =
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));

  for (std::size_t first = 0; first < values.size(); first += size * stride)
    for (std::size_t at = first; at < first + stride; ++at) {
      for (std::size_t i = 0; i < size; ++i)
        line[i] = values[at + i * stride];
      for (std::size_t k = 0; k < size; ++k) {
        Wide sum = 0;
        for (std::size_t i = 0; i < size; ++i)
          sum += line[i] * roots[i * k % size];
        values[at + k * stride] = sum;
      }
    }
}

}  // namespace

std::vector<double> find_magnitudes(const Grid& grid, const std::vector<double>& values) {
  std::size_t lengths = 0;
  for (const auto& axis : grid.axes)
    lengths += axis.size;
  if (values.empty() || lengths > most_products / values.size())
    return {};

  double sum = 0, points = 0;
  for (auto value : values)
    if (!std::isnan(value)) {
      sum += value;
      ++points;
    }
  std::vector<Wide> spectrum;
  for (auto value : values)
    spectrum.emplace_back(std::isnan(value) ? 0 : value - sum / points);

  std::size_t stride = 1;
  for (auto a = grid.axes.size(); a-- > 0;) {
    transform_axis(spectrum, grid.axes[a].size, stride);
    stride *= grid.axes[a].size;
  }

  std::vector<double> magnitudes;
  for (const auto& value : spectrum)
    magnitudes.push_back(std::abs(value) / static_cast<double>(values.size()));
  return magnitudes;
}

}  // namespace tracefold::correlation
