#include "pipeline/iterations/program_map.hpp"

#include "filters/iterations/align_loops.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// By stored column how often its values count in a metric. What is stored as execution time is its
// rest.
std::vector<int> weigh_columns(const MetricColumns& columns, const ShownMetric& metric) {
  std::vector<int> weights(columns.size());
  const auto add = [&](std::size_t column, int weight) {
    weights[column] += weight;
    if (column < columns.measured.size() && columns.measured[column] == Metric::execution_time)
      for (std::size_t c = 0; c < columns.measured.size(); ++c)
        if (is_part_of_execution_time(columns.measured[c]))
          weights[c] += weight;
  };
  for (auto column : metric.entry.columns)
    add(column, 1);
  for (auto column : metric.less)
    add(column, -1);

  return weights;
}

// The loop in which the first process that has one spends most time.
std::size_t find_longest_loop(const StoredProgram& stored) {
  const auto& columns = stored.columns();
  const auto weights =
      weigh_columns(columns, {{"", MetricKind::time, {*columns.find(Metric::execution_time)}}, {}});
  std::vector<double> ticks(stored.loops());
  for (std::size_t p = 0; p < stored.size(); ++p) {
    const auto has_one = [&](std::size_t loop) { return stored.iterations(loop)[p] > 0; };
    if (stored.loops() == 0 || !has_one(0))
      continue;
    for (std::size_t l = 0; l < ticks.size(); ++l)
      for (std::size_t c = 0; c < columns.size() && has_one(l); ++c)
        if (weights[c] != 0)
          ticks[l] += static_cast<double>(stored.read_series(l, c).of_process[p]);
    return static_cast<std::size_t>(std::max_element(ticks.begin(), ticks.end()) - ticks.begin());
  }

  throw Error(ErrorKind::usage, "no loop was found")
      .hint("say what the iterations are with `region`");
}

// By process the loop that the map has of it; none where it has no such loop.
std::vector<std::optional<std::size_t>> choose_loops(const StoredProgram& stored,
                                                     std::size_t number) {
  const auto list_lengths = [&](std::size_t process) {
    std::vector<std::size_t> lengths;
    for (std::size_t l = 0; l < stored.loops() && stored.iterations(l)[process] > 0; ++l)
      lengths.push_back(static_cast<std::size_t>(stored.iterations(l)[process]));
    return lengths;
  };
  std::vector<std::optional<std::size_t>> chosen(stored.size());
  std::size_t length = 0;  // of the loop of the first process that has it
  for (std::size_t p = 0; p < stored.size() && length == 0; ++p)
    if (const auto lengths = list_lengths(p); number < lengths.size())
      length = lengths[number];
  if (length == 0)
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", number + 1))
        .hint("see them all with 'tracefold iterations' of the original");

  for (std::size_t p = 0; p < stored.size(); ++p)
    chosen[p] = find_same_loop(list_lengths(p), number, length);

  return chosen;
}

void add_weighted(const std::vector<std::uint64_t>& values, int weight, std::vector<double>& sums) {
  sums.resize(std::max(sums.size(), values.size()));
  for (std::size_t k = 0; k < values.size(); ++k)
    sums[k] += weight * static_cast<double>(values[k]);
}

// What is shown of a loop.
struct ShownSeries {
  std::vector<double> values;  // process by process; empty: all 0
  std::size_t columns = 0;
  MapSums sums;

  double get(std::size_t process, std::size_t column) const {
    return values.empty() ? 0 : values[process * columns + column];
  }
};

ShownSeries add_series(const StoredProgram& stored, std::size_t loop,
                       const std::vector<int>& weights) {
  ShownSeries out;
  bool knows_columns = true;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0)
      continue;
    const auto series = stored.read_series(loop, c);
    out.columns = series.columns;
    add_weighted(series.values, weights[c], out.values);
    add_weighted(series.of_process, weights[c], out.sums.of_row);
    add_weighted(series.of_column, weights[c], out.sums.of_column);
    knows_columns &= !series.of_column.empty();
  }
  if (!knows_columns)
    out.sums.of_column.clear();

  return out;
}

// Of the rows of a map; and of its columns, where all processes have the same loop of those that
// are stored.
MapSums choose_sums(const IterationMap& map, const std::vector<std::optional<std::size_t>>& loops,
                    const std::map<std::size_t, ShownSeries>& series, std::uint64_t steps) {
  const auto to_units = [&](double sum) { return sum / static_cast<double>(steps); };
  MapSums out;
  for (auto process : map.processes) {
    const auto& sums = series.at(*loops[process]).sums.of_row;
    out.of_row.push_back(sums.empty() ? 0 : to_units(sums[process]));
  }
  if (series.size() == 1)
    for (auto sum : series.begin()->second.sums.of_column)
      out.of_column.push_back(to_units(sum));

  return out;
}

}  // namespace

IterationMap read_program_map(const Archive& archive, const WholeProgram& program,
                              const MapOptions& options) {
  const auto& stored = *program.stored;
  const auto per_column = stored.detail().iterations_per_column;
  const auto& columns = stored.columns();
  const auto metric = find_metric(archive.definitions(), columns, options.metric, columns);
  IterationMap map;
  map.metric = metric.entry.name;
  map.kind = metric.entry.kind;
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  map.loop = options.loop ? *options.loop : find_longest_loop(stored);
  const auto loops = choose_loops(stored, map.loop);
  for (std::size_t p = 0; p < stored.size(); ++p)
    if (loops[p]) {
      map.processes.push_back(p);
      map.iterations = std::max<std::size_t>(map.iterations, stored.iterations(*loops[p])[p]);
    }
  make_cells(map, options.most_cells);

  std::map<std::size_t, ShownSeries> series;  // by loop
  for (const auto& loop : loops)
    if (loop && !series.contains(*loop))
      series.emplace(*loop, add_series(stored, *loop, weigh_columns(columns, metric)));

  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto process = map.processes[r];
    const auto& of_loop = series.at(*loops[process]);
    const auto iterations = static_cast<std::size_t>(stored.iterations(*loops[process])[process]);
    MapRow row(map, r);
    for (std::size_t i = 0; i < iterations; ++i) {
      const auto together = std::min(per_column, iterations - i / per_column * per_column);
      const auto sum = of_loop.get(process, i / per_column);
      row.add(i, sum / static_cast<double>(together * metric.entry.steps_per_unit));
    }
    row.finish();
  }
  if (per_column == 1 && map.per_column == 1)
    map.exact_sums = choose_sums(map, loops, series, metric.entry.steps_per_unit);

  return map;
}

}  // namespace tracefold
