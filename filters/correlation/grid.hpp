// The Cartesian grid over which views are correlated: its axes, which of them count, which points
// are taken, and which shifts are looked at. Plain data.
//
// Points are numbered row by row, the last axis fastest. Shifts are whole steps along each axis.
//
// Source: frequency 2 (system topology).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::correlation {

inline constexpr std::size_t most_axes = 8;

// Positions are kept in 32 bits.
inline constexpr std::size_t most_points = std::size_t{1} << 31;

struct Axis {
  std::string name;
  std::size_t size = 1;

  // The last point has the first one as its neighbour.
  bool periodic = false;

  // Phenomena along this axis count (f = 1); what varies along the others only is left out.
  bool chosen = true;
};

struct Grid {
  std::vector<Axis> axes;

  // For each point whether a process is there; empty where all points are taken.
  std::vector<bool> present;

  std::size_t count_points() const;
  std::vector<std::size_t> list_sizes() const;  // of the axes
  bool has(std::size_t point) const { return present.empty() || present[point]; }
};

// A shift along each axis of a grid; 0 for axes that it does not have.
using Shift = std::array<std::int32_t, most_axes>;

// The coordinates of a point, by axis.
std::array<std::size_t, most_axes> find_coordinates(const Grid& grid, std::size_t point);

// Points that differ along the chosen axes only are of one line: how many lines there are, and
// which one a point is of.
std::size_t count_lines(const Grid& grid);
std::size_t find_line(const Grid& grid, std::size_t point);

// The shorter way around an axis: in (-size / 2, size / 2].
std::int32_t wrap(std::size_t position, std::size_t size);

// Throws Error(usage) where there are no axes or more than `most_axes`, an axis is empty, or there
// are too many points.
void check_size(const Grid& grid);

// The same, and where no axis is chosen, or no two points are taken that differ along the chosen
// ones only.
void check(const Grid& grid);

}  // namespace tracefold::correlation
