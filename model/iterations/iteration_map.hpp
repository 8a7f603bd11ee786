// One metric of a loop by process and iteration, and its spread over both. Plain data.
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

// Exact sums of a map whose values are not exact. Empty where these are not known either.
struct MapSums {
  std::vector<double> of_row, of_column;
};

// Names of the rows of a map that are not just processes, and the processes of each row.
struct ShownRows {
  RowChoice rows = RowChoice::rank;
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;  // indexes of the plan's processes
  // Where rows are in the order of a grid: its axes, the slowest first, and the coordinates of each
  // row; none for a row that has no place.
  std::vector<GridAxis> axes = {};
  std::vector<std::vector<std::uint64_t>> places = {};
};

struct IterationMap {
  std::string metric;
  MetricKind kind = MetricKind::count;  // times are in ticks
  std::string recorded_unit;            // of a counter
  std::string call_path;                // glob of the call paths that are summed; empty: all
  std::size_t loop = 0;
  // The process of each row, as ascending indexes of the plan; the first one where a row shows
  // several.
  std::vector<std::size_t> processes;
  ShownRows shown = {};        // no names: each row is one process
  std::size_t first = 0;       // iteration
  std::size_t iterations = 0;  // from that one on, of the process with most of them
  std::size_t per_column = 1;  // number of iterations in a column
  std::size_t columns = 0;
  std::vector<double> values;  // row by row: mean of the column's iterations; NaN where the
                               // process has none
  std::optional<MapSums> exact_sums = {};

  std::span<const double> row(std::size_t r) const {
    return std::span(values).subspan(r * columns, columns);
  }
};

// The spread of some values of a map. Values that are NaN do not count; all is 0 without values.
struct MapSpread {
  double minimum = 0, median = 0, maximum = 0;
  std::size_t values = 0;
  double mean = 0;
};

// Means of blocks of a map.
struct BinnedMap {
  std::size_t rows = 0, columns = 0;
  std::size_t per_row = 1,
              per_column = 1;  // rows and columns of the map in one bin; the last may have fewer
  std::vector<double> values;  // NaN where no process has an iteration
};

// The spread of columns of a map, `together` of them at a time.
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

// The largest number of bins.
struct MapBins {
  std::size_t processes = 1000, iterations = 1000;
};

// Fills one row, in ascending order of iterations. One thread.
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

// Makes the cells of a map, at most `most` of 8 bytes each: with more iterations, several share a
// column.
inline constexpr std::size_t most_cells = std::size_t{1} << 26;
void make_cells(IterationMap& map, std::size_t most = most_cells);

// The map, its spread over processes and over iterations, and means of blocks. The median of an
// even number of values is the lower one.
MapReport summarize_map(IterationMap map, const MapBins& most);

// Means of blocks of a map.
BinnedMap bin_map(const IterationMap& map, const MapBins& most);

// The spread over processes, for some iterations at a time, in at most `most` rows.
MapRows summarize_rows(const IterationMap& map, std::size_t most);

// One part of a metric that has parts, or of the whole that the metric is a part of. Values are
// means over processes and over the iterations of a column, or of each row over its iterations; NaN
// where there are none.
struct MapLayer {
  std::string metric;
  std::vector<double> original, reconstruction;  // by column; the second is as long or empty
  std::vector<double> original_rows = {}, reconstruction_rows = {};  // by row; empty: not known
};

// The parts add up to the whole, as the kinds of time to execution time. Their columns may hold
// more iterations than those of the map.
struct MapLayers {
  std::string whole;
  MetricKind kind = MetricKind::count;
  std::size_t per_column = 1;    // iterations that share a column
  std::vector<MapLayer> layers;  // in the order of Metric; empty: the whole has no parts
};

// A map and its reconstruction, in which each value is that of the kept process and iteration that
// stands for it.
//
// Source: dynamics 4.3.
struct ComparedMap {
  IterationMap original;
  std::optional<IterationMap> reconstruction;  // of the same shape; none: everything is kept
  std::vector<std::size_t> kept_rows;          // rows whose process is kept, ascending
  std::optional<std::vector<std::uint32_t>> kept_iterations;  // ascending; none: all are kept
  MapLayers layers;
  // By iteration which of the kept ones stands for it; empty: all are kept, or not known.
  std::vector<std::uint32_t> kept_of = {};
};

}  // namespace tracefold
