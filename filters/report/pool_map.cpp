#include "filters/report/pool_map.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

namespace tracefold {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr double lowest = -std::numeric_limits<double>::infinity();

std::size_t divide_up(std::size_t n, std::size_t by) {
  return (n + by - 1) / by;
}

// Which row of a picture each row of the map is a part of.
struct PooledPlaces {
  PooledRows pooled;
  std::vector<std::uint32_t> row_of;
};

// Puts the places of `order` (rows of the map) into rows of the picture; a row begins where
// `begins` says so of a place.
template <class Begins>
PooledPlaces place_rows(const std::vector<std::uint32_t>& order, const RowOwners& owners,
                        Begins&& begins) {
  PooledPlaces out;
  out.row_of.resize(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (begins(place))
      out.pooled.first_of_row.push_back(static_cast<std::uint32_t>(place));
    out.pooled.order.push_back(owners.process[order[place]]);
    out.row_of[order[place]] = static_cast<std::uint32_t>(out.pooled.rows() - 1);
  }

  return out;
}

// Rows of the map, sorted.
template <class Key>
std::vector<std::uint32_t> sort_rows(std::size_t rows, Key&& key) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });

  return order;
}

PooledPlaces place_by_rank(const RowOwners& owners, std::size_t per_row) {
  const auto order = sort_rows(owners.process.size(), [&](auto r) { return owners.process[r]; });
  return place_rows(order, owners, [&](std::size_t place) { return place % per_row == 0; });
}

// The fewest processes in a row with which all groups have rows of their own.
std::size_t choose_group_rows(const std::vector<std::size_t>& sizes, std::size_t most_rows) {
  const auto fits = [&](std::size_t per_row) {
    std::size_t rows = 0;
    for (const auto size : sizes)
      rows += divide_up(size, per_row);
    return rows <= most_rows;
  };
  std::size_t too_few = 0, enough = *std::max_element(sizes.begin(), sizes.end());
  while (enough - too_few > 1) {
    const auto middle = too_few + (enough - too_few) / 2;
    (fits(middle) ? enough : too_few) = middle;
  }

  return enough;
}

PooledPlaces place_by_group(const RowOwners& owners, std::size_t most_rows) {
  const auto order = sort_rows(
      owners.process.size(), [&](auto r) { return std::pair(owners.group[r], owners.process[r]); });
  std::vector<std::size_t> begins;  // places at which groups begin
  for (std::size_t place = 0; place < order.size(); ++place)
    if (place == 0 || owners.group[order[place]] != owners.group[order[place - 1]])
      begins.push_back(place);

  if (begins.size() > most_rows) {
    const auto per_row = divide_up(order.size(), most_rows);
    auto shared =
        place_rows(order, owners, [&](std::size_t place) { return place % per_row == 0; });
    shared.pooled.groups_share_rows = true;
    return shared;
  }
  if (begins.empty())
    return {};

  std::vector<std::size_t> sizes;
  for (std::size_t g = 0; g < begins.size(); ++g)
    sizes.push_back((g + 1 < begins.size() ? begins[g + 1] : order.size()) - begins[g]);
  const auto per_row = choose_group_rows(sizes, most_rows);
  std::size_t next_group = 0, begin = 0;
  return place_rows(order, owners, [&](std::size_t place) {
    if (next_group < begins.size() && begins[next_group] == place) {
      begin = place;
      ++next_group;
    }
    return (place - begin) % per_row == 0;
  });
}

// The largest value, the sum and the number of the values of each cell.
struct CellSums {
  std::vector<double> sum, largest;
  std::vector<std::uint32_t> count;

  explicit CellSums(std::size_t cells) : sum(cells), largest(cells, lowest), count(cells) {}

  void add(std::size_t begin, const CellSums& row) {
    double* const to_sum = sum.data() + begin;
    double* const to_largest = largest.data() + begin;
    std::uint32_t* const to_count = count.data() + begin;
    for (std::size_t c = 0; c < row.sum.size(); ++c) {
      to_sum[c] += row.sum[c];
      to_largest[c] = std::max(to_largest[c], row.largest[c]);
      to_count[c] += row.count[c];
    }
  }
};

// One row of the map, in the columns of the picture.
struct RowSums {
  CellSums cells;
  std::vector<double> smallest;

  explicit RowSums(std::size_t columns) : cells(columns), smallest(columns) {}

  void read(std::span<const double> values, std::size_t together) {
    for (std::size_t c = 0; c < smallest.size(); ++c) {
      double sum = 0, low = -lowest, high = lowest;
      std::uint32_t count = 0;
      const auto end = std::min(values.size(), (c + 1) * together);
      for (auto k = c * together; k < end; ++k) {
        const auto value = values[k];
        if (!std::isfinite(value))
          continue;
        sum += value;
        low = std::min(low, value);
        high = std::max(high, value);
        ++count;
      }
      cells.sum[c] = sum;
      cells.largest[c] = high;
      cells.count[c] = count;
      smallest[c] = low;
    }
  }
};

// A value that a page can hold.
double limit_value(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return std::clamp(value, -most, most);
}

struct ValueRange {
  double low = -lowest, high = lowest;

  void add(const std::vector<double>& values) {
    for (const auto value : values)
      if (!std::isnan(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  }
};

// Numbers that end in zeros are packed well: 11 bits are exact to 0.05 %.
float round_value(double value) {
  constexpr double steps = 1 << 11;
  int exponent = 0;
  const auto mantissa = std::frexp(value, &exponent);
  return static_cast<float>(
      limit_value(std::ldexp(std::round(mantissa * steps) / steps, exponent)));
}

MapLevels choose_levels(const std::vector<double>& values, const ValueRange& range,
                        std::size_t most_values) {
  MapLevels out;
  if (values.size() <= most_values)
    std::transform(values.begin(), values.end(), std::back_inserter(out.values), round_value);
  if (range.low <= range.high) {
    out.low = range.low;
    out.high = range.high;
  }

  const double width = out.high - out.low;
  out.cells.reserve(values.size());
  for (const auto value : values) {
    const double part = width > 0 ? (value - out.low) / width : 0;
    out.cells.push_back(std::isnan(value)
                            ? no_map_level
                            : static_cast<std::uint8_t>(std::lround(part * most_map_level)));
  }

  return out;
}

std::vector<double> list_largest(const CellSums& cells, double unit) {
  std::vector<double> values;
  values.reserve(cells.count.size());
  for (std::size_t k = 0; k < cells.count.size(); ++k)
    values.push_back(cells.count[k] == 0 ? no_value : limit_value(cells.largest[k] * unit));

  return values;
}

std::vector<double> list_means(const CellSums& cells, double unit) {
  std::vector<double> values;
  values.reserve(cells.count.size());
  for (std::size_t k = 0; k < cells.count.size(); ++k)
    values.push_back(cells.count[k] == 0 ? no_value
                                         : limit_value(cells.sum[k] / cells.count[k] * unit));

  return values;
}

// Equal values have equal levels in both orders of rows, so that their colours mean the same.
void set_levels(const std::vector<double>& by_rank, const std::vector<double>& by_group,
                std::size_t most_values, MapLevels PooledRows::*levels, PooledMap& out) {
  ValueRange range;
  range.add(by_rank);
  range.add(by_group);
  out.by_rank.*levels = choose_levels(by_rank, range, most_values);
  out.by_group.*levels = choose_levels(by_group, range, most_values);
}

// The values of each column over all processes.
struct ColumnSums {
  std::vector<double> sum, smallest, largest;
  std::vector<std::uint64_t> count;

  explicit ColumnSums(std::size_t columns)
      : sum(columns), smallest(columns, -lowest), largest(columns, lowest), count(columns) {}

  void add(const RowSums& row) {
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] += row.cells.sum[c];
      smallest[c] = std::min(smallest[c], row.smallest[c]);
      largest[c] = std::max(largest[c], row.cells.largest[c]);
      count[c] += row.cells.count[c];
    }
  }
};

void set_columns(ColumnSums columns, const IterationMap& map, std::size_t together, double unit,
                 PooledMap& out) {
  // Sums that are known better than the values.
  if (map.exact_sums && map.exact_sums->of_column.size() == map.columns) {
    std::fill(columns.sum.begin(), columns.sum.end(), 0.0);
    for (std::size_t k = 0; k < map.columns; ++k)
      columns.sum[k / together] += map.exact_sums->of_column[k];
  }

  for (std::size_t c = 0; c < columns.sum.size(); ++c) {
    const auto put = [&](double value, std::vector<float>& list) {
      list.push_back(
          static_cast<float>(columns.count[c] == 0 ? no_value : limit_value(value * unit)));
    };
    put(columns.smallest[c], out.minimum);
    put(columns.sum[c] / static_cast<double>(columns.count[c]), out.mean);
    put(columns.largest[c], out.maximum);
  }
}

}  // namespace

PooledMap pool_map(const IterationMap& map, const RowOwners& owners, double unit,
                   const PoolLimits& most) {
  const auto rows = map.processes.size();
  assert(owners.process.size() == rows && owners.group.size() == rows);
  const auto most_rows = std::max<std::size_t>(most.rows, 1);
  const auto together =
      std::max<std::size_t>(divide_up(map.columns, std::max<std::size_t>(most.columns, 1)), 1);

  PooledMap out;
  out.averaged = map.per_column;
  out.per_column = map.per_column * together;
  out.columns = divide_up(map.columns, together);
  out.per_row = std::max<std::size_t>(divide_up(rows, most_rows), 1);
  auto by_rank = place_by_rank(owners, out.per_row);
  auto by_group = place_by_group(owners, most_rows);
  out.by_rank = std::move(by_rank.pooled);
  out.by_group = std::move(by_group.pooled);

  CellSums rank_cells(out.by_rank.rows() * out.columns);
  CellSums group_cells(out.by_group.rows() * out.columns);
  ColumnSums columns(out.columns);
  RowSums row(out.columns);
  for (std::size_t r = 0; r < rows; ++r) {
    row.read(map.row(r), together);
    rank_cells.add(by_rank.row_of[r] * out.columns, row.cells);
    group_cells.add(by_group.row_of[r] * out.columns, row.cells);
    columns.add(row);
  }

  set_levels(list_largest(rank_cells, unit), list_largest(group_cells, unit), most.values,
             &PooledRows::largest, out);
  const bool is_one_value =
      together == 1 && out.by_rank.rows() == rows && out.by_group.rows() == rows;
  if (!is_one_value)
    set_levels(list_means(rank_cells, unit), list_means(group_cells, unit), most.values,
               &PooledRows::average, out);
  set_columns(std::move(columns), map, together, unit, out);

  return out;
}

}  // namespace tracefold
