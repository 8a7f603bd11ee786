// Views for tests of the correlation, and the correlation by its definition: sums over all points
// and frequencies in double, nothing of the program but its grid.
#pragma once

#include "filters/correlation/correlator.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace tracefold::correlation::testing {

using View = std::vector<double>;

inline Grid make_grid(const std::vector<std::size_t>& sizes, unsigned chosen,
                      bool periodic = true) {
  Grid grid;
  for (std::size_t a = 0; a < sizes.size(); ++a)
    grid.axes.push_back({"axis " + std::to_string(a), sizes[a], periodic, (chosen >> a & 1) != 0});
  return grid;
}

inline unsigned all_axes(const std::vector<std::size_t>& sizes) {
  return (1u << sizes.size()) - 1;
}

inline double make_uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

inline View make_noise(std::size_t points, std::mt19937_64& random) {
  View view(points);
  for (auto& value : view)
    value = make_uniform(random);
  return view;
}

inline View make_walk(std::size_t points, std::mt19937_64& random) {
  View view(points);
  double at = 0;
  for (auto& value : view)
    value = at += make_uniform(random) - 0.5;
  return view;
}

inline std::vector<double> make_batch(const std::vector<View>& views) {
  std::vector<double> values(views.front().size() * batch_views);
  for (std::size_t v = 0; v < views.size(); ++v)
    for (std::size_t p = 0; p < views[v].size(); ++p)
      values[p * batch_views + v] = views[v][p];
  return values;
}

// The first view with all of them, from views and from spectra; both have to agree.
inline Correlator::Matches correlate_all(const Correlator& correlator,
                                         const std::vector<View>& views) {
  const auto values = make_batch(views);
  auto room = correlator.make_room();
  auto spectra = correlator.make_spectra();
  correlator.transform(values.data(), spectra, room);
  const auto query = correlator.make_query(spectra, 0);

  const auto from_views = correlator.correlate(query, values.data(), room);
  const auto largest = correlator.find_largest(query, spectra, room);
  for (std::size_t v = 0; v < views.size(); ++v)
    if (std::abs(std::abs(from_views[v].r) - largest[v]) > 2e-5f)
      throw "spectra and views differ";
  return from_views;
}

inline Match correlate_two(const Correlator& correlator, const View& a, const View& b) {
  return correlate_all(correlator, {a, b})[1];
}

// Means over the chosen axes of the points that are present taken off; holes are 0.
inline View prepare_plainly(const Grid& grid, const View& view) {
  View out(view.size());
  for (std::size_t p = 0; p < view.size(); ++p) {
    if (!grid.has(p))
      continue;

    double sum = 0;
    double count = 0;
    const auto here = find_coordinates(grid, p);
    for (std::size_t q = 0; q < view.size(); ++q) {
      const auto there = find_coordinates(grid, q);
      bool same = grid.has(q);
      for (std::size_t a = 0; a < grid.axes.size(); ++a)
        same = same && (grid.axes[a].chosen || here[a] == there[a]);
      if (!same)
        continue;
      sum += view[q];
      ++count;
    }
    out[p] = view[p] - sum / count;
  }
  return out;
}

struct Plain {
  std::vector<double> values;  // R of each shift
  double energy = 1;           // the product of both, over what is noise
};

// R of every shift around periodic axes.
inline Plain correlate_by_definition(const Grid& grid, const View& a, const View& b) {
  const auto n = a.size();
  const auto first = prepare_plainly(grid, a);
  const auto second = prepare_plainly(grid, b);

  const auto phase = [&](std::size_t k, std::size_t x) {
    const auto of_k = find_coordinates(grid, k);
    const auto of_x = find_coordinates(grid, x);
    double turns = 0;
    for (std::size_t i = 0; i < grid.axes.size(); ++i)
      turns += static_cast<double>(of_k[i] * of_x[i]) / static_cast<double>(grid.axes[i].size);
    return 2 * std::numbers::pi * turns;
  };

  std::vector<std::complex<double>> product(n);
  double energy_a = 0;
  double energy_b = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<double> of_a = 0;
    std::complex<double> of_b = 0;
    for (std::size_t x = 0; x < n; ++x) {
      of_a += first[x] * std::polar(1.0, -phase(k, x));
      of_b += second[x] * std::polar(1.0, -phase(k, x));
    }

    double chosen = 0;
    double all = 0;
    const auto index = find_coordinates(grid, k);
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
      const auto nearest = std::min(index[i], grid.axes[i].size - index[i]);
      const auto square = static_cast<double>(nearest * nearest);
      all += square;
      if (grid.axes[i].chosen)
        chosen += square;
    }
    const auto weight = all == 0 ? 0 : chosen / all;

    product[k] = weight * std::conj(of_a) * of_b;
    energy_a += weight * std::norm(of_a);
    energy_b += weight * std::norm(of_b);
  }

  Plain plain{std::vector<double>(n), energy_a * energy_b};
  for (std::size_t shift = 0; shift < n; ++shift) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += (product[k] * std::polar(1.0, phase(k, shift))).real();
    plain.values[shift] = sum / std::sqrt(energy_a * energy_b);
  }
  return plain;
}

inline std::size_t find_point(const Grid& grid, const Shift& shift) {
  std::size_t point = 0;
  for (std::size_t a = 0; a < grid.axes.size(); ++a) {
    const auto size = static_cast<std::int32_t>(grid.axes[a].size);
    point = point * grid.axes[a].size + static_cast<std::size_t>((shift[a] + size) % size);
  }
  return point;
}

}  // namespace tracefold::correlation::testing
