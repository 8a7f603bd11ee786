#include "filters/report/coarsen_maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

std::size_t count_processes(const PooledRows& rows, std::size_t row) {
  const auto end = row + 1 < rows.rows() ? rows.first_of_row[row + 1] : rows.order.size();
  return end - rows.first_of_row[row];
}

// By new row its first old one. Rows that `belongs(row)` with the one before are put to it, in
// pairs.
template <class Belongs>
std::vector<std::size_t> pair_rows(std::size_t rows, Belongs&& belongs) {
  std::vector<std::size_t> first;
  bool is_single = false;  // the last new row has one old row
  for (std::size_t row = 0; row < rows; ++row) {
    is_single = !(is_single && belongs(row));
    if (is_single)
      first.push_back(row);
  }
  return first;
}

std::vector<std::uint8_t> take_largest(const std::vector<std::uint8_t>& cells,
                                       const std::vector<std::size_t>& first, std::size_t rows,
                                       std::size_t columns) {
  std::vector<std::uint8_t> out(first.size() * columns, no_map_level);
  for (std::size_t to = 0; to < first.size(); ++to) {
    const auto end = to + 1 < first.size() ? first[to + 1] : rows;
    for (auto row = first[to]; row < end; ++row)
      for (std::size_t c = 0; c < columns; ++c) {
        const auto level = cells[row * columns + c];
        auto& cell = out[to * columns + c];
        if (level != no_map_level && (cell == no_map_level || level > cell))
          cell = level;
      }
  }
  return out;
}

std::vector<std::uint8_t> take_means(const std::vector<std::uint8_t>& cells, const PooledRows& rows,
                                     const std::vector<std::size_t>& first, std::size_t columns) {
  std::vector<std::uint8_t> out;
  out.reserve(first.size() * columns);
  for (std::size_t to = 0; to < first.size(); ++to) {
    const auto end = to + 1 < first.size() ? first[to + 1] : rows.rows();
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0, weight = 0;
      for (auto row = first[to]; row < end; ++row)
        if (const auto level = cells[row * columns + c]; level != no_map_level) {
          const auto processes = static_cast<double>(count_processes(rows, row));
          sum += processes * level;
          weight += processes;
        }
      out.push_back(weight > 0 ? static_cast<std::uint8_t>(std::lround(sum / weight))
                               : no_map_level);
    }
  }
  return out;
}

void join_rows(const std::vector<std::size_t>& first, std::size_t columns, PooledRows& rows) {
  // Where each cell had one value, that was its mean, too.
  const auto& means = rows.average.cells.empty() ? rows.largest : rows.average;
  MapLevels average{take_means(means.cells, rows, first, columns), means.low, means.high};
  rows.largest.cells = take_largest(rows.largest.cells, first, rows.rows(), columns);
  rows.largest.values.clear();
  rows.average = std::move(average);
  std::vector<std::uint32_t> places;
  for (auto row : first)
    places.push_back(rows.first_of_row[row]);
  rows.first_of_row = std::move(places);
}

void coarsen_by_group(const Report& report, std::size_t columns, PooledRows& rows) {
  const auto find_group = [&](std::size_t row) {
    return report.group_of[report.order[rows.order[rows.first_of_row[row]]]];
  };
  auto first = pair_rows(rows.rows(), [&](std::size_t row) {
    return rows.groups_share_rows || find_group(row) == find_group(row - 1);
  });
  constexpr double nearly_as_many = 0.75;
  if (static_cast<double>(first.size()) > nearly_as_many * static_cast<double>(rows.rows())) {
    rows.groups_share_rows = true;
    first = pair_rows(rows.rows(), [](std::size_t) { return true; });
  }
  join_rows(first, columns, rows);
}

}  // namespace

bool coarsen_maps(Report& report) {
  std::size_t most = 0;
  for (const auto& loop : report.loops)
    for (const auto& map : loop.maps)
      most = std::max({most, map.by_rank.rows(), map.by_group.rows()});
  if (most < least_coarse_rows)
    return false;

  const auto is_large = [&](const PooledRows& rows) { return 4 * rows.rows() > 3 * most; };
  for (auto& loop : report.loops)
    for (auto& map : loop.maps) {
      if (!is_large(map.by_rank) && !is_large(map.by_group))
        continue;
      join_rows(pair_rows(map.by_rank.rows(), [](std::size_t) { return true; }), map.columns,
                map.by_rank);
      coarsen_by_group(report, map.columns, map.by_group);
      map.per_row *= 2;
    }
  return true;
}

}  // namespace tracefold
