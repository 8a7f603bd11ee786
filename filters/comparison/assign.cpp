#include "filters/comparison/assign.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

// By row the column that it gets; there are no more rows than columns.
std::vector<std::size_t> assign_rows(const std::vector<std::vector<double>>& values) {
  const auto rows = values.size(), columns = values.front().size();
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  // Rows and columns count from 1; 0 is none.
  std::vector<double> row_price(rows + 1), column_price(columns + 1);
  std::vector<std::size_t> row_of(columns + 1), came_from(columns + 1);

  for (std::size_t row = 1; row <= rows; ++row) {
    row_of[0] = row;
    std::size_t column = 0;
    std::vector<double> least(columns + 1, infinity);
    std::vector<bool> is_done(columns + 1);
    do {
      is_done[column] = true;
      const auto from = row_of[column];
      double step = infinity;
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns; ++c) {
        if (is_done[c])
          continue;
        const auto cost =
            -std::max(values[from - 1][c - 1], 0.0) - row_price[from] - column_price[c];
        if (cost < least[c]) {
          least[c] = cost;
          came_from[c] = column;
        }
        if (least[c] < step) {
          step = least[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= columns; ++c)
        if (is_done[c]) {
          row_price[row_of[c]] += step;
          column_price[c] -= step;
        } else {
          least[c] -= step;
        }
      column = next;
    } while (row_of[column] != 0);

    for (; column != 0; column = came_from[column])
      row_of[column] = row_of[came_from[column]];
  }

  std::vector<std::size_t> out(rows);
  for (std::size_t c = 1; c <= columns; ++c)
    if (row_of[c] != 0)
      out[row_of[c] - 1] = c - 1;
  return out;
}

}  // namespace

std::vector<std::optional<std::size_t>> assign(const std::vector<std::vector<double>>& values) {
  std::vector<std::optional<std::size_t>> out(values.size());
  if (values.empty() || values.front().empty())
    return out;

  const auto rows = values.size(), columns = values.front().size();
  if (rows <= columns) {
    const auto found = assign_rows(values);
    for (std::size_t row = 0; row < rows; ++row)
      if (values[row][found[row]] > 0)
        out[row] = found[row];
    return out;
  }

  std::vector<std::vector<double>> turned(columns, std::vector<double>(rows));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < columns; ++c)
      turned[c][row] = values[row][c];
  const auto found = assign_rows(turned);
  for (std::size_t c = 0; c < columns; ++c)
    if (turned[c][found[c]] > 0)
      out[found[c]] = c;
  return out;
}

}  // namespace tracefold
