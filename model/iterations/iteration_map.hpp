// One metric of a loop by process and iteration, and how it is spread over either.
// Plain data.
//
// Source: dynamics 4.2.2 and Figures of 3.2 (iteration × process maps, and minimum,
// median and maximum per iteration).
#pragma once

#include "model/groups/rank_grid.hpp"
#include "model/groups/row_choice.hpp"
#include "model/profile/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

// Sums of the values of a map, where these are known less exactly. Empty where these are not known
// either.
struct MapSums {
  std::vector<double> of_row, of_column;
};

// What the rows of a map are, where they are not just processes: a name of each, and whom it shows.
struct ShownRows {
  RowChoice rows = RowChoice::rank;
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;  // indexes of the plan's processes
  // Where rows are in the order of a grid: its axes, the slowest first, and the coordinates of each
  // row; none for a row without a place.
  std::vector<GridAxis> axes = {};
  std::vector<std::vector<std::uint64_t>> places = {};
};

struct IterationMap {
  std::string metric;
  MetricKind kind = MetricKind::count;  // times are in ticks
  std::string recorded_unit;            // of a counter
  std::string call_path;                // glob of the call paths that count; empty: all
  std::size_t loop = 0;
  // Rows: indexes of the plan's processes, ascending. Of rows that show several, the first of each.
  std::vector<std::size_t> processes;
  ShownRows shown = {};        // no names: each row is a process
  std::size_t iterations = 0;  // of the process that has most
  std::size_t per_column = 1;  // iterations that share a column
  std::size_t columns = 0;
  std::vector<double> values;  // row by row: the mean of the column's iterations; not a number
                               // where the process has none
  std::optional<MapSums> exact_sums = {};

  std::span<const double> row(std::size_t r) const {
    return std::span(values).subspan(r * columns, columns);
  }
};

// How some values of a map are spread. Only values that are numbers count; without any, all is 0.
struct MapSpread {
  double minimum = 0, median = 0, maximum = 0;
  std::size_t values = 0;
  double mean = 0;
};

// Means of blocks of a map.
struct BinnedMap {
  std::size_t rows = 0, columns = 0;
  std::size_t per_row = 1,
              per_column = 1;  // rows and columns of the map in one bin; the last may hold fewer
  std::vector<double> values;  // not a number where no process has an iteration
};

// How columns of a map are spread, some of them together.
struct MapRows {
  std::size_t together = 1;
  std::vector<MapSpread> spreads;
};

struct MapReport {
  IterationMap map;
  std::vector<MapSpread> per_iteration;  // by column, over processes
  std::vector<MapSpread> per_process;    // by row, over columns
  BinnedMap bins;
};

// The most rows and columns of bins that are wanted.
struct MapBins {
  std::size_t processes = 1000, iterations = 1000;
};

// Fills one row, iteration by iteration, ascending and each once. One thread.
class MapRow {
 public:
  MapRow(IterationMap& map, std::size_t row) : map_(map), row_(row) {}
  void add(std::size_t iteration, double value);
  void finish();

 private:
  IterationMap& map_;
  std::size_t row_;
  std::size_t column_ = 0, count_ = 0;
  double sum_ = 0;
};

// An empty map of so many rows, at most `most_cells` of 8 bytes: iterations share
// columns where there are more.
inline constexpr std::size_t most_cells = std::size_t{1} << 26;
void make_cells(IterationMap& map, std::size_t most = most_cells);

// The map as it is, how it is spread over processes and over iterations, and means of
// blocks of it. The median of an even number of values is the lower one.
MapReport summarize_map(IterationMap map, const MapBins& most);

// Means of blocks of the map.
BinnedMap bin_map(const IterationMap& map, const MapBins& most);

// The spread over processes of some iterations each, in at most so many rows.
MapRows summarize_rows(const IterationMap& map, std::size_t most);

// A part of a map's metric, or of the whole that the metric is a part of. Means over processes and
// over the iterations that share a column; not a number where there are none.
struct MapLayer {
  std::string metric;
  std::vector<double> original, reconstruction;  // by column; the second as long or empty
};

// Layers add up to the whole, such as kinds of time to execution time. Their columns are wider than
// the map's where those are many.
struct MapLayers {
  std::string whole;
  MetricKind kind = MetricKind::count;
  std::size_t per_column = 1;    // iterations that share a column
  std::vector<MapLayer> layers;  // in the order of Metric; empty: the whole has no parts
};

// A map beside its reconstruction: what the processes and iterations that stay tell of it, each
// put in the place of all that it stands for.
//
// Source: dynamics 4.3.
struct ComparedMap {
  IterationMap original;
  std::optional<IterationMap> reconstruction;  // of the same shape; none: everything stays
  std::vector<std::size_t> kept_rows;          // rows of the map whose process stays, ascending
  std::optional<std::vector<std::uint32_t>> kept_iterations;  // ascending; none: all stay
  MapLayers layers;
};

// Leaves the rows of which nothing was recorded out of a map, if any of them stays.
void leave_out_rows(const std::vector<bool>& is_empty, IterationMap& map);
void leave_out_rows(const std::vector<bool>& is_empty, ComparedMap& maps);

}  // namespace tracefold
