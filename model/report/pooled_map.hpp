// A metric of a loop by process and iteration, pooled to cells of a pixel or more, so that drawing
// needs no further scaling. Plain data.
//
// A cell has the largest and the mean value of what it shows. So even a single process or iteration
// is seen in the largest values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::uint8_t most_map_level = 63;  // levels of cells, from 0 on
inline constexpr std::uint8_t no_map_level = 255;   // a cell without a value

// Cells row by row.
struct MapLevels {
  std::vector<std::uint8_t> cells;
  double low = 0, high = 0;  // the values of the lowest and the highest level
  // The values of all cells, to 0.1 %, where the map is small; NaN where there is none.
  std::vector<float> values = {};
};

struct PooledRows {
  std::vector<std::uint32_t> order;         // processes, in the order of rows
  std::vector<std::uint32_t> first_of_row;  // by row: index into `order` of its first process
  // In rows by group: a row may show several groups, since there are too many.
  bool groups_share_rows = false;
  MapLevels largest, average;  // `average` is empty where each cell has a single value

  std::size_t rows() const { return first_of_row.size(); }
};

struct PooledMap {
  std::string metric;  // as on the command line
  std::string label;   // for people
  std::string unit;    // "s", "B", or nothing
  // Iterations in a column; the last column may have fewer.
  std::size_t per_column = 1, columns = 0;
  // The number of iterations of which only the mean is known: largest values are then those of such
  // means.
  std::size_t averaged = 1;
  std::size_t per_row = 1;  // largest number of processes in a row by rank
  // By column, over all processes, in the unit; NaN where there is no value.
  std::vector<float> minimum, mean, maximum;
  PooledRows by_rank, by_group;
};

}  // namespace tracefold
