#include "filters/correlation/grid.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold::correlation {

std::size_t Grid::count_points() const {
  std::size_t points = 1;
  for (const auto& axis : axes)
    points *= axis.size;
  return points;
}

std::vector<std::size_t> Grid::list_sizes() const {
  std::vector<std::size_t> sizes;
  for (const auto& axis : axes)
    sizes.push_back(axis.size);
  return sizes;
}

std::array<std::size_t, most_axes> find_coordinates(const Grid& grid, std::size_t point) {
  std::array<std::size_t, most_axes> coordinates{};

  for (auto a = grid.axes.size(); a-- > 0;) {
    coordinates[a] = point % grid.axes[a].size;
    point /= grid.axes[a].size;
  }

  return coordinates;
}

std::size_t count_lines(const Grid& grid) {
  std::size_t lines = 1;
  for (const auto& axis : grid.axes)
    if (!axis.chosen)
      lines *= axis.size;
  return lines;
}

std::size_t find_line(const Grid& grid, std::size_t point) {
  std::size_t line = 0;
  std::size_t stride = 1;

  for (auto a = grid.axes.size(); a-- > 0;) {
    const auto& axis = grid.axes[a];
    if (!axis.chosen) {
      line += point % axis.size * stride;
      stride *= axis.size;
    }
    point /= axis.size;
  }

  return line;
}

std::int32_t wrap(std::size_t position, std::size_t size) {
  const auto signed_position = static_cast<std::int32_t>(position);
  return 2 * position > size ? signed_position - static_cast<std::int32_t>(size) : signed_position;
}

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ErrorKind::usage, what).hint(hint);
}

// Whether two points are taken that differ along the chosen axes only.
bool has_neighbours(const Grid& grid) {
  if (grid.present.empty())
    return std::any_of(grid.axes.begin(), grid.axes.end(),
                       [](const auto& axis) { return axis.chosen && axis.size > 1; });

  std::vector<bool> has_one(count_lines(grid), false);
  for (std::size_t point = 0; point < grid.present.size(); ++point) {
    if (!grid.present[point])
      continue;

    const auto line = find_line(grid, point);
    if (has_one[line])
      return true;
    has_one[line] = true;
  }
  return false;
}

}  // namespace

void check_size(const Grid& grid) {
  if (grid.axes.empty() || grid.axes.size() > most_axes)
    refuse(fmt::format("the grid has {} axes", grid.axes.size()),
           fmt::format("1 to {} are possible", most_axes));

  std::size_t points = 1;
  for (const auto& axis : grid.axes) {
    if (axis.size == 0)
      refuse(fmt::format("the axis '{}' of the grid has no points", axis.name),
             "sizes begin at 1, as in `grid` 8x8");
    if (axis.size > most_points / points)
      refuse(fmt::format("the grid has more than {} points", most_points), "choose fewer axes");
    points *= axis.size;
  }
}

void check(const Grid& grid) {
  check_size(grid);

  if (std::none_of(grid.axes.begin(), grid.axes.end(), [](const auto& a) { return a.chosen; }))
    refuse("no axis of the grid is chosen", "name at least one");

  if (!has_neighbours(grid))
    refuse("there are fewer than 2 processes along the chosen axes",
           "choose others with `axes`, or a trace of more processes");
}

}  // namespace tracefold::correlation
