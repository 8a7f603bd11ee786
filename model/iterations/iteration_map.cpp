#include "model/iterations/iteration_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Orders the values.
MapSpread summarize_values(std::vector<double>& values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty())
    return {};
  const auto sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());

  return {*std::min_element(values.begin(), values.end()), *middle,
          *std::max_element(values.begin(), values.end()), values.size(),
          sum / static_cast<double>(values.size())};
}

void set_mean(double sum, MapSpread& spread) {
  if (spread.values > 0)
    spread.mean = sum / static_cast<double>(spread.values);
}

std::size_t per_bin(std::size_t n, std::size_t bins) {
  return n == 0 ? 1 : (n + std::max<std::size_t>(bins, 1) - 1) / std::max<std::size_t>(bins, 1);
}

// The spread over processes of each `together` columns.
std::vector<MapSpread> summarize_over_processes(const IterationMap& map, std::size_t together) {
  std::vector<MapSpread> out;
  std::vector<double> values;
  for (std::size_t first = 0; first < map.columns; first += together) {
    values.clear();
    for (std::size_t r = 0; r < map.processes.size(); ++r) {
      const auto of_row = map.row(r).subspan(first, std::min(together, map.columns - first));
      values.insert(values.end(), of_row.begin(), of_row.end());
    }
    out.push_back(summarize_values(values));
    if (map.exact_sums && !map.exact_sums->of_column.empty()) {
      const auto sums = std::span(map.exact_sums->of_column).subspan(first);
      set_mean(
          std::accumulate(
              sums.begin(),
              sums.begin() + static_cast<std::ptrdiff_t>(std::min(together, sums.size())), 0.0),
          out.back());
    }
  }

  return out;
}

std::vector<MapSpread> summarize_over_iterations(const IterationMap& map) {
  std::vector<MapSpread> out;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    std::vector<double> values(map.row(r).begin(), map.row(r).end());
    out.push_back(summarize_values(values));
    if (map.exact_sums && !map.exact_sums->of_row.empty())
      set_mean(map.exact_sums->of_row[r], out.back());
  }

  return out;
}

}  // namespace

void MapRow::add(std::size_t iteration, double value) {
  const auto column = iteration / map_.per_column;
  if (column != column_)
    finish();
  column_ = column;
  sum_ += value;
  ++count_;
}

void MapRow::finish() {
  if (count_ > 0)
    map_.values[row_ * map_.columns + column_] = sum_ / static_cast<double>(count_);
  sum_ = 0;
  count_ = 0;
}

void make_cells(IterationMap& map, std::size_t most) {
  map.per_column =
      per_bin(map.iterations,
              std::max<std::size_t>(most / std::max<std::size_t>(map.processes.size(), 1), 1));
  map.columns = (map.iterations + map.per_column - 1) / map.per_column;
  map.values.assign(map.processes.size() * map.columns, std::numeric_limits<double>::quiet_NaN());
}

BinnedMap bin_map(const IterationMap& map, const MapBins& most) {
  BinnedMap out;
  out.per_row = per_bin(map.processes.size(), most.processes);
  out.per_column = per_bin(map.columns, most.iterations);
  out.rows = (map.processes.size() + out.per_row - 1) / out.per_row;
  out.columns = (map.columns + out.per_column - 1) / out.per_column;
  std::vector<double> sums(out.rows * out.columns);
  std::vector<std::size_t> counts(sums.size());

  for (std::size_t r = 0; r < map.processes.size(); ++r)
    for (std::size_t c = 0; c < map.columns; ++c) {
      const auto value = map.values[r * map.columns + c];
      if (std::isnan(value))
        continue;
      const auto bin = r / out.per_row * out.columns + c / out.per_column;
      sums[bin] += value;
      ++counts[bin];
    }

  for (std::size_t k = 0; k < sums.size(); ++k)
    out.values.push_back(counts[k] ? sums[k] / static_cast<double>(counts[k])
                                   : std::numeric_limits<double>::quiet_NaN());

  return out;
}

MapReport summarize_map(IterationMap map, const MapBins& most) {
  MapReport out;
  out.per_iteration = summarize_over_processes(map, 1);
  out.per_process = summarize_over_iterations(map);
  out.bins = bin_map(map, most);
  out.map = std::move(map);

  return out;
}

MapRows summarize_rows(const IterationMap& map, std::size_t most) {
  const auto together = per_bin(map.columns, most);
  return {together, summarize_over_processes(map, together)};
}

}  // namespace tracefold
