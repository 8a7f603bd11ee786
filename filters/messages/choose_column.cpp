#include "filters/messages/choose_column.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Ranks = std::span<const std::uint32_t>;
using Values = std::span<const std::uint64_t>;

std::vector<std::int64_t> find_place(const Grid& grid, std::uint64_t rank) {
  std::vector<std::int64_t> place(grid.size());
  for (auto d = grid.size(); d-- > 0; rank /= grid[d]) {
    place[d] = static_cast<std::int64_t>(rank % grid[d]);
  }
  return place;
}

// The path from a rank to another one on the torus of a grid.
Column find_grid_path(const Grid& grid, std::uint64_t from, std::uint64_t to) {
  Column column{ColumnForm::torus, {}, {}};
  for (auto length : grid)
    column.numbers.push_back(length);

  const auto begin = find_place(grid, from), end = find_place(grid, to);
  for (std::size_t d = 0; d < grid.size(); ++d) {
    column.numbers.push_back((end[d] - begin[d] + grid[d]) % grid[d]);
  }
  return column;
}

// a + b · r through the first two values; any numbers where they lie on no such line.
Column find_line(Ranks ranks, Values values) {
  const auto rise = static_cast<std::int64_t>(values[1] - values[0]);
  const auto run = static_cast<std::int64_t>(ranks[1]) - static_cast<std::int64_t>(ranks[0]);
  const auto slope = rise / run;
  const auto begin = values[0] - static_cast<std::uint64_t>(slope) * ranks[0];
  return {ColumnForm::linear, {static_cast<std::int64_t>(begin), slope}, {}};
}

Column make_table(Ranks ranks, Values values) {
  Column column{ColumnForm::table, {}, {}};
  column.table.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    column.table.push_back({ranks[i], values[i]});
  return column;
}

}  // namespace

std::vector<Grid> list_grids(std::uint32_t size, const std::vector<Grid>& given) {
  std::vector<Grid> grids;
  for (const auto& grid : given) {
    std::uint64_t ranks = 1;
    for (auto length : grid)
      ranks = std::min<std::uint64_t>(ranks * length, size + 1ull);
    if (ranks == size && (grid.size() == 2 || grid.size() == 3))
      grids.push_back(grid);
  }

  std::vector<std::uint32_t> factors;
  for (std::uint32_t f = 2; f < size; ++f)
    if (size % f == 0)
      factors.push_back(f);
  for (auto a : factors)
    grids.push_back({a, size / a});
  for (auto a : factors)
    for (auto b : factors)
      if (size / a % b == 0 && size / a / b > 1)
        grids.push_back({a, b, size / a / b});
  return grids;
}

bool ColumnChooser::fits(const Column& column, Ranks ranks, Values values) const {
  for (std::size_t i = ranks.size(); i-- > 0;)  // what does not fit often shows at the end
    if (find_value(column, ranks[i], size_) != values[i])
      return false;
  return true;
}

Column ColumnChooser::choose(Ranks ranks, Values values, bool are_ranks) const {
  const auto first = static_cast<std::int64_t>(values[0]);
  if (std::all_of(values.begin(), values.end(), [&](auto v) { return v == values[0]; })) {
    return {ColumnForm::constant, {first}, {}};
  }

  if (!are_ranks) {
    auto line = find_line(ranks, values);
    return fits(line, ranks, values) ? line : make_table(ranks, values);
  }
  if (!std::all_of(values.begin(), values.end(), [&](auto v) { return v < size_; })) {
    return make_table(ranks, values);
  }

  Column shift{ColumnForm::shift, {(first + size_ - ranks[0]) % size_}, {}};
  if (fits(shift, ranks, values))
    return shift;
  Column exclusive_or{ColumnForm::exclusive_or, {first ^ ranks[0]}, {}};
  if (exclusive_or.numbers[0] < size_ && fits(exclusive_or, ranks, values))
    return exclusive_or;

  for (const auto& grid : grids_) {
    auto path = find_grid_path(grid, ranks[0], values[0]);
    if (fits(path, ranks, values))
      return path;
  }
  for (std::int64_t block : {1, 2})
    for (std::int64_t columns = 2; columns * block < size_; ++columns) {
      if (size_ % (columns * block) != 0)
        continue;
      Column transpose{ColumnForm::transpose, {columns, block}, {}};
      if (fits(transpose, ranks, values))
        return transpose;
    }
  return make_table(ranks, values);
}

}  // namespace tracefold
