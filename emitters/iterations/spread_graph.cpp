#include "emitters/iterations/spread_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace tracefold {

namespace {

// Sizes in pixels.
constexpr double legend_swatch = 10, legend_line = 15;

constexpr std::size_t most_graph_columns = 460;
constexpr std::size_t most_value_ticks = 5;
constexpr double nearly_equal = 0.75;

constexpr std::string_view band_fill = " fill=\"#dcdcdc\"";
constexpr const char* dashes = " stroke-dasharray=\"4 1.5\"";  // of the reconstruction

constexpr Colour minimum_colour = okabe_ito::blue;
constexpr Colour median_colour = okabe_ito::black;
constexpr Colour maximum_colour = okabe_ito::vermillion;

using ValuePlace = std::function<double(double)>;  // the y of a value

ValuePlace make_height(const Box& box, const ValueAxis& axis) {
  return [&box, &axis](double value) { return axis.find_y(box, value); };
}

// A line that stays at each value for the width of its column. It is broken where a value is not a
// number.
std::string write_steps(const std::vector<double>& values, const ColumnPlace& at,
                        const ValuePlace& height) {
  std::string path;
  bool is_open = false;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (std::isnan(values[c])) {
      is_open = false;
      continue;
    }
    const auto y = height(values[c]);
    path += is_open ? "V" + write_length(y) : move_to(at(c), y);
    path += "H" + write_length(at(c + 1));
    is_open = true;
  }

  return path;
}

// The area between two such lines, which have their gaps at the same places.
std::string write_area(const std::vector<double>& lower, const std::vector<double>& upper,
                       const ColumnPlace& at, const ValuePlace& height) {
  std::string path;
  for (std::size_t first = 0; first < upper.size();) {
    auto last = first;
    while (last < upper.size() && !std::isnan(upper[last]))
      ++last;
    if (last == first) {
      ++first;
      continue;
    }

    path += move_to(at(first), height(upper[first]));
    for (auto c = first; c < last; ++c)
      path += "V" + write_length(height(upper[c])) + "H" + write_length(at(c + 1));
    for (auto c = last; c-- > first;)
      path += "V" + write_length(height(lower[c])) + "H" + write_length(at(c));
    path += "Z";
    first = last;
  }

  return path;
}

// Infinite where there is no number.
double find_lowest(const std::vector<double>& values) {
  auto smallest = std::numeric_limits<double>::infinity();
  for (auto value : values)
    if (value < smallest)
      smallest = value;
  return smallest;
}

}  // namespace

double find_highest(const std::vector<double>& values) {
  double highest = 0;
  for (auto value : values)
    if (value > highest)
      highest = value;
  return highest;
}

double ValueAxis::find_y(const Box& box, double value) const {
  return box.bottom() - box.height * std::max(value - low, 0.0) / (high - low);
}

ValueAxis make_axis(AxisUnit unit, double smallest, double largest) {
  ValueAxis axis{0, largest > 0 ? 1.05 * largest : 1, std::move(unit)};
  if (smallest > nearly_equal * largest && smallest < largest) {
    const auto room = 0.08 * (largest - smallest);
    axis.low = smallest - room;
    axis.high = largest + room;
  }

  return axis;
}

Spreads list_spreads(const IterationMap& map) {
  const auto rows = summarize_rows(map, most_graph_columns);
  Spreads out;
  out.per_column = rows.together * map.per_column;
  for (const auto& spread : rows.spreads) {
    const auto put = [&](std::vector<double>& values, double value) {
      values.push_back(spread.values > 0 ? value : std::numeric_limits<double>::quiet_NaN());
    };
    put(out.minimum, spread.minimum);
    put(out.median, spread.median);
    put(out.maximum, spread.maximum);
  }

  return out;
}

Spreads list_row_spreads(const IterationMap& map) {
  const auto rows = map.processes.size();
  Spreads out;
  out.per_column = std::max<std::size_t>((rows + most_graph_columns - 1) / most_graph_columns, 1);
  std::vector<double> values;
  for (std::size_t first = 0; first < rows; first += out.per_column) {
    values.clear();
    for (auto r = first; r < std::min(first + out.per_column, rows); ++r)
      std::copy_if(map.row(r).begin(), map.row(r).end(), std::back_inserter(values),
                   [](double value) { return !std::isnan(value); });
    std::sort(values.begin(), values.end());
    const auto put = [&](std::vector<double>& list, std::size_t place) {
      list.push_back(values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[place]);
    };
    const auto last = values.empty() ? 0 : values.size() - 1;
    put(out.minimum, 0);
    put(out.median, last / 2);
    put(out.maximum, last);
  }

  return out;
}

ValueAxis make_axis(const Plan& plan, const IterationMap& map,
                    const std::vector<Spreads>& spreads) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& of : spreads) {
    largest = std::max(largest, find_highest(of.maximum));
    smallest = std::min(smallest, find_lowest(of.minimum));
  }

  return make_axis(choose_unit(plan, map.kind, largest, map.recorded_unit), smallest, largest);
}

// Lines at round values.
std::string draw_value_axis(const Box& box, bool is_named, const ValueAxis& axis) {
  std::string path, out;
  const auto ticks =
      choose_ticks(axis.low / axis.unit.size, axis.high / axis.unit.size, most_value_ticks);
  for (auto value : ticks.values) {
    const auto y = axis.find_y(box, value * axis.unit.size);
    path += move_to(box.x, y) + "h" + write_length(box.width);
    if (is_named)
      out += draw_text(box.x - svg_style::tick_length - 3, y + 4, "end",
                       write_number(value, ticks.step));
  }

  return draw_path(path, svg_style::grid) + out;
}

std::string draw_area(const Box& box, const ValueAxis& axis, const std::vector<double>& lower,
                      const std::vector<double>& upper, const ColumnPlace& at,
                      std::string_view attributes) {
  return draw_path(write_area(lower, upper, at, make_height(box, axis)), attributes);
}

std::string draw_spread_lines(const Box& box, const std::vector<Spreads>& spreads,
                              std::size_t panel, const ValueAxis& axis, const ColumnPlace& at) {
  const auto& original = spreads.front();
  const auto& own = spreads[panel];
  const auto height = make_height(box, axis);
  const auto write_line = [&](const std::vector<double>& values, const Colour& colour) {
    return draw_path(write_steps(values, at, height),
                     fmt::format(" fill=\"none\" stroke=\"{}\"{}", write_colour(colour),
                                 panel > 0 ? dashes : ""));
  };

  return draw_path(write_area(original.minimum, original.maximum, at, height), band_fill) +
         write_line(own.maximum, maximum_colour) + write_line(own.minimum, minimum_colour) +
         write_line(own.median, median_colour);
}

std::string draw_spread_legend(double x, double y, bool has_reconstruction) {
  std::string out;
  y += 6;
  const auto add = [&](const Colour& colour, const char* text) {
    const auto line = [&](double left, const char* more) {
      return draw_path(move_to(left, y + 5) + "h18",
                       fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}",
                                   write_colour(colour), more));
    };
    out += line(x, "");
    if (has_reconstruction)
      out += line(x + 24, dashes);
    out += draw_text(x + (has_reconstruction ? 50 : 26), y + 9, "start", text);
    y += legend_line + 1;
  };

  add(maximum_colour, "maximum");
  add(median_colour, "median");
  add(minimum_colour, "minimum");
  if (has_reconstruction) {
    out += draw_text(x, y + 11, "start", "dashed: reconstruction", svg_style::grey_text);
    y += legend_line + 3;
  }
  out += draw_rectangle({x, y, 18, legend_swatch}, band_fill);
  out += draw_text(x + 26, y + 9, "start", has_reconstruction ? "range of the original" : "range");

  return out;
}

}  // namespace tracefold
