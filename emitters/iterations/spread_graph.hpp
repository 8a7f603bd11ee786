// Graphs of values by column, as a drawing of a map has below it: minimum, median and maximum as
// lines, the first one's range as an area, over a vertical axis with round values. Lengths are
// pixels. Pure functions.
#pragma once

#include "emitters/axis.hpp"
#include "emitters/svg.hpp"
#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct Plan;

// The x where a column begins; of the one behind the last: where that ends.
using ColumnPlace = std::function<double(std::size_t)>;

// Minimum, median and maximum by column; not a number where no process has an iteration.
struct Spreads {
  std::size_t per_column = 1;  // iterations, or rows
  std::vector<double> minimum, median, maximum;
};

// Over rows, by iteration; some iterations together where there are many.
Spreads list_spreads(const IterationMap& map);
// Over iterations, by row; some rows together where there are many.
Spreads list_row_spreads(const IterationMap& map);

// The largest number; 0 where there is none.
double find_highest(const std::vector<double>& values);

// The vertical axis of a graph. Its ends are in the metric's own unit; `unit` is the one in which
// they are written.
struct ValueAxis {
  double low = 0, high = 1;
  AxisUnit unit;

  double find_y(const Box& box, double value) const;
};

// From 0, or from near the smallest value where all are so large that differences would not be
// seen.
ValueAxis make_axis(AxisUnit unit, double smallest, double largest);
// The same for all of these, which are of this map or of one like it.
ValueAxis make_axis(const Plan& plan, const IterationMap& map, const std::vector<Spreads>& spreads);

// Lines at round values, with numbers on the left side where they are wanted.
std::string draw_value_axis(const Box& box, bool is_named, const ValueAxis& axis);

// The area between two lines that stay at each value for the width of its column. Both have their
// gaps, which are not a number, at the same places.
std::string draw_area(const Box& box, const ValueAxis& axis, const std::vector<double>& lower,
                      const std::vector<double>& upper, const ColumnPlace& at,
                      std::string_view attributes);

// The lines of one panel over the range of the first one. Those of others are dashed.
std::string draw_spread_lines(const Box& box, const std::vector<Spreads>& spreads,
                              std::size_t panel, const ValueAxis& axis, const ColumnPlace& at);

// What the lines are.
std::string draw_spread_legend(double x, double y, bool has_reconstruction);

}  // namespace tracefold
