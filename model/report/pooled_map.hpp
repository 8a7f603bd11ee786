// A metric of a loop by process and iteration, pooled so that it can be drawn cell by cell: no cell
// of the picture is smaller than a pixel, and none is lost in scaling. Plain data.
//
// A cell has the largest and the mean value of all that it shows: no process and no iteration is
// too small to be seen in the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::uint8_t most_map_level = 63;  // levels of cells, from 0 on
inline constexpr std::uint8_t no_map_level = 255;   // of a cell without a value

// Cells row by row.
struct MapLevels {
  std::vector<std::uint8_t> cells;
  double low = 0, high = 0;  // the values of the lowest and the highest level
  // Of small maps the values of all cells, to 0.1 %; not a number where there is none.
  std::vector<float> values = {};
};

struct PooledRows {
  std::vector<std::uint32_t> order;         // processes, in the order of rows
  std::vector<std::uint32_t> first_of_row;  // by row: the place in `order` of its first process
  // Rows by group: there are more groups than rows, so that a row may show several of them.
  bool groups_share_rows = false;
  MapLevels largest, average;  // without cells of `average`: each cell holds one value

  std::size_t rows() const { return first_of_row.size(); }
};

struct PooledMap {
  std::string metric;  // as on the command line
  std::string label;   // for people
  std::string unit;    // "s", "B", or nothing
  // Iterations in a column; the last one may have fewer.
  std::size_t per_column = 1, columns = 0;
  // So many iterations are known by their mean only: the largest value is that of such means.
  std::size_t averaged = 1;
  std::size_t per_row = 1;  // the most processes in a row by rank
  // By column over all processes, in the unit; not a number where there is no value.
  std::vector<float> minimum, mean, maximum;
  PooledRows by_rank, by_group;
};

}  // namespace tracefold
