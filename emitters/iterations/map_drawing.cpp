#include "emitters/iterations/map_drawing.hpp"

#include "emitters/axis.hpp"
#include "emitters/iterations/map_layers.hpp"
#include "emitters/iterations/map_rows.hpp"
#include "emitters/iterations/place_drawing.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/svg.hpp"
#include "emitters/tables.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// Sizes in pixels.
constexpr double left_margin = 84, legend_width = 196, panel_gap = 40;
constexpr double two_panels_width = 460, one_panel_width = 720;
constexpr double first_panel_top = 132, map_height = 260, graph_height = 130;
constexpr double row_gap = 58;  // from one row of panels to the next: numbers, and a heading
constexpr double axis_name_height = 36;  // from the end of a graph to the name of its axis
constexpr double mark_length = 7, tick_length = 4, swatch = 10, line_height = 15;
constexpr double scale_width = 14, scale_height = 176;

constexpr std::size_t enlarged_width = 1000, enlarged_height = 600;  // at most
constexpr std::size_t most_graph_columns = 460;
constexpr std::size_t most_ticks = 8, most_value_ticks = 5;
constexpr double nearly_equal = 0.75;
constexpr std::size_t longest_title = 110;

constexpr std::string_view grey_text = " fill=\"#555555\"";
constexpr std::string_view band_fill = " fill=\"#dcdcdc\"";
constexpr std::string_view frame = " fill=\"none\" stroke=\"#404040\"";
constexpr std::string_view grid = " fill=\"none\" stroke=\"#e8e8e8\"";
constexpr std::string_view thin = " fill=\"none\" stroke=\"#404040\"";
constexpr std::string_view mark = " fill=\"none\" stroke=\"#000000\"";
constexpr const char* dashes = " stroke-dasharray=\"4 1.5\"";  // of the reconstruction

constexpr Colour minimum_colour = okabe_ito::blue;
constexpr Colour median_colour = okabe_ito::black;
constexpr Colour maximum_colour = okabe_ito::vermillion;

std::string describe_part(std::size_t some, std::size_t all, const char* things) {
  return some == all ? fmt::format("all {} {}", group_digits(all), things)
                     : fmt::format("{} of {} {}", group_digits(some), group_digits(all), things);
}

std::string write_count(std::size_t n, const char* thing, const char* things) {
  return fmt::format("{} {}", group_digits(n), n == 1 ? thing : things);
}

std::string add_unit(const std::string& text, const AxisUnit& unit) {
  return unit.name.empty() ? text : fmt::format("{} [{}]", text, unit.name);
}

std::string fill(const Colour& colour) {
  return fmt::format(" fill=\"{}\"", write_colour(colour));
}

std::string move_to(double x, double y) {
  return fmt::format("M{} {}", write_length(x), write_length(y));
}

// A line that stays at each value for the width of its column. It is broken where a value is not a
// number. `at` gives the x where a column begins, and `height` the y of a value.
template <class At, class Height>
std::string write_steps(const std::vector<double>& values, const At& at, const Height& height) {
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
template <class At, class Height>
std::string write_area(const std::vector<double>& lower, const std::vector<double>& upper,
                       const At& at, const Height& height) {
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

// The picture with each pixel several times, so that also viewers that blur pictures show small
// ones as they are.
IndexedImage enlarge(const IndexedImage& image) {
  const auto across = std::max<std::size_t>(enlarged_width / image.width, 1);
  const auto down = std::max<std::size_t>(enlarged_height / image.height, 1);
  IndexedImage out{image.width * across, image.height * down, {}, image.palette};
  out.pixels.reserve(out.width * out.height);
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x)
      out.pixels.push_back(image.pixels[y / down * image.width + x / across]);

  return out;
}

// The largest number; 0 where there is none.
double find_largest(const std::vector<double>& values) {
  double largest = 0;
  for (auto value : values)
    if (value > largest)
      largest = value;
  return largest;
}

double find_smallest(const std::vector<double>& values) {
  auto smallest = std::numeric_limits<double>::infinity();
  for (auto value : values)
    if (value < smallest)
      smallest = value;
  return smallest;
}

// The vertical axis of a graph. Its ends are in the metric's own unit; `unit` is the one in which
// they are written.
struct ValueAxis {
  double low = 0, high = 1;
  AxisUnit unit;

  double find_y(const Box& box, double value) const {
    return box.bottom() - box.height * std::max(value - low, 0.0) / (high - low);
  }
};

// From 0, or from near the smallest value where all are so large that differences would not be
// seen.
ValueAxis make_axis(AxisUnit unit, double smallest, double largest) {
  ValueAxis axis{0, largest > 0 ? 1.05 * largest : 1, std::move(unit)};
  if (smallest > nearly_equal * largest && smallest < largest) {
    const auto room = 0.08 * (largest - smallest);
    axis.low = smallest - room;
    axis.high = largest + room;
  }

  return axis;
}

// Minimum, median and maximum by column; not a number where no process has an iteration.
struct Spreads {
  std::size_t per_column = 1;  // iterations
  std::vector<double> minimum, median, maximum;
};

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

// The same by row, over iterations; some rows together where there are many.
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

// How far the reconstruction is from the original.
struct Deviation {
  double means = 0, values = 0;  // shares of the sum of the original
};

std::optional<Deviation> measure_deviation(const IterationMap& original,
                                           const IterationMap& reconstruction) {
  double sum = 0, of_means = 0, of_values = 0;
  for (std::size_t c = 0; c < original.columns; ++c) {
    double difference = 0;
    for (std::size_t r = 0; r < original.processes.size(); ++r) {
      const auto a = original.values[r * original.columns + c];
      const auto b = reconstruction.values[r * original.columns + c];
      if (std::isnan(a) || std::isnan(b))
        continue;
      sum += std::abs(a);
      difference += b - a;
      of_values += std::abs(b - a);
    }
    of_means += std::abs(difference);
  }

  if (sum == 0)
    return std::nullopt;
  return Deviation{of_means / sum, of_values / sum};
}

// Draws the panels. What stands side by side has the same axes.
class MapPicture {
 public:
  MapPicture(const Plan& plan, const ComparedMap& maps, const MapDrawing& options)
      : plan_(plan),
        maps_(maps),
        bins_(bin_map(maps.original, options.bins)),
        width_(maps.reconstruction ? two_panels_width : one_panel_width),
        scale_(make_scale(options)),
        layers_(choose_layers(maps.layers)),
        scaling_(options.scaling),
        places_(maps.original.shown, width_) {
    const auto& map = maps_.original;
    iterations_across_ = static_cast<double>(bins_.columns * bins_.per_column * map.per_column);
    rows_down_ = static_cast<double>(bins_.rows * bins_.per_row);
    unit_ = choose_unit(plan_, map.kind, scale_.high(), map.recorded_unit);
  }

  std::string draw() {
    const bool has_parts = layers_.size() > 1;
    const auto graph_top = first_panel_top + map_height + row_gap;
    const auto parts_top = graph_top + graph_height + row_gap;
    const auto bottom = has_parts ? parts_top + graph_height : graph_top + graph_height;
    const auto legend_x = panel_x(panels()) - panel_gap + 24;
    const auto process_top = bottom + axis_name_height + row_gap;
    const auto places_top = process_top + graph_height + axis_name_height + row_gap;
    const auto end = has_places() ? places_top + places_.height() : places_top - row_gap;

    auto out = begin_svg(static_cast<int>(legend_x + legend_width), static_cast<int>(end) + 16);
    out += write_title();
    for (std::size_t p = 0; p < panels(); ++p)
      out += draw_map(p, {panel_x(p), first_panel_top, width_, map_height});
    out += draw_scale(legend_x, first_panel_top);

    out += draw_graphs(graph_top, legend_x);
    if (has_parts)
      out += draw_parts(parts_top, legend_x);

    for (std::size_t p = 0; p < panels(); ++p)
      out += draw_text(panel_x(p) + width_ / 2, bottom + 36, "middle", "iteration");
    out += draw_process_graphs(process_top, legend_x);
    if (has_places())
      out += draw_places(places_top, legend_x);
    out += end_svg();

    return out;
  }

 private:
  std::size_t panels() const { return maps_.reconstruction ? 2 : 1; }
  double panel_x(std::size_t panel) const {
    return left_margin + static_cast<double>(panel) * (width_ + panel_gap);
  }

  ColourScale make_scale(const MapDrawing& options) {
    auto values = bins_.values;
    if (maps_.reconstruction) {
      reconstructed_bins_ = bin_map(*maps_.reconstruction, options.bins);
      values.insert(values.end(), reconstructed_bins_.values.begin(),
                    reconstructed_bins_.values.end());
    }

    has_unknown_ =
        std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    return {options.scaling, std::move(values)};
  }

  // Pixels from the left of a panel to the beginning of an iteration.
  double find_x(double iteration) const { return width_ * iteration / iterations_across_; }

  std::string write_title() const {
    const auto& map = maps_.original;
    const std::filesystem::path anchor(plan_.trace.anchor);
    auto about = fmt::format(
        "{} · loop {} · {} · {}", (anchor.parent_path().filename() / anchor.filename()).string(),
        map.loop + 1, write_count(map.processes.size(), name_rows(map).one, name_rows(map).many),
        write_count(map.iterations, "iteration", "iterations"));
    if (!map.call_path.empty())
      about += fmt::format(" · call paths '{}'", map.call_path);

    const auto title =
        add_unit(fmt::format("{} by iteration and {}", map.metric, name_rows(map).one), unit_);
    const auto format_line = [](const std::string& text) {
      return shorten_name(make_printable(text), longest_title);
    };

    auto out = draw_text(left_margin, 30, "start", format_line(title),
                         " font-size=\"17\" font-weight=\"bold\"");
    double y = 50;
    for (const auto& line : {format_line(about), describe_pixels(), describe_deviation()}) {
      if (line.empty())
        continue;
      out += draw_text(left_margin, y, "start", line, grey_text);
      y += line_height + 2;
    }

    return out;
  }

  std::string describe_pixels() const {
    std::vector<std::string> sentences;
    const auto iterations = bins_.per_column * maps_.original.per_column;
    if (bins_.per_row > 1 || iterations > 1)
      sentences.push_back(fmt::format(
          "A pixel is the mean of {} × {}.",
          write_count(bins_.per_row, name_rows(maps_.original).one, name_rows(maps_.original).many),
          write_count(iterations, "iteration", "iterations")));
    if (!scale_.is_even() && !scale_.is_flat())
      sentences.push_back("Each colour stands for about as many pixels (histogram-equalized).");

    return fmt::format("{}", fmt::join(sentences, " "));
  }

  std::string describe_deviation() const {
    if (!maps_.reconstruction)
      return "";
    const auto deviation = measure_deviation(maps_.original, *maps_.reconstruction);
    return deviation ? fmt::format("Reconstruction: means over {} differ by {}, values by {}.",
                                   name_rows(maps_.original).many, format_percent(deviation->means),
                                   format_percent(deviation->values))
                     : "";
  }

  std::string write_panel_name(std::size_t panel) const {
    const auto kept = describe_kept_only(plan_);
    if (panels() == 1 && maps_.kept_iterations)
      return fmt::format(
          "as a reduced trace tells it, from {}{}",
          describe_part(maps_.kept_iterations->size(), maps_.original.iterations, "iterations"),
          kept.empty() ? kept : ", " + kept);
    if (panels() == 1)
      return kept.empty() ? "all processes and iterations stay" : kept;
    if (panel == 0)
      return "original";

    const auto& map = maps_.original;
    const auto iterations = maps_.kept_iterations ? maps_.kept_iterations->size() : map.iterations;
    return fmt::format(
        "reconstruction from {} and {}",
        describe_part(maps_.kept_rows.size(), map.processes.size(), name_rows(map).many),
        describe_part(iterations, map.iterations, "iterations"));
  }

  std::string draw_map(std::size_t panel, const Box& box) const {
    const auto& bins = panel == 0 ? bins_ : reconstructed_bins_;
    IndexedImage image{bins.columns, bins.rows, {}, ColourScale::make_palette()};
    for (auto value : bins.values)
      image.pixels.push_back(scale_.choose_level(value));
    image = enlarge(image);

    auto out = draw_text(box.x, box.y - mark_length - 9, "start", write_panel_name(panel),
                         " font-weight=\"bold\"");
    out += draw_image(box, image);
    out += draw_rectangle(box, frame);
    out += draw_iteration_ticks(box);
    out += draw_rows(panel, box);
    out += draw_marks(box);

    return out;
  }

  std::string draw_iteration_ticks(const Box& box) const {
    std::string path, out;
    for (auto iteration : choose_whole_ticks(maps_.original.iterations, most_ticks)) {
      const auto x = box.x + find_x(static_cast<double>(iteration) + 0.5);
      path += move_to(x, box.bottom()) + "v" + write_length(tick_length);
      out += draw_text(x, box.bottom() + tick_length + 12, "middle", std::to_string(iteration));
    }

    return draw_path(path, thin) + out;
  }

  std::string draw_rows(std::size_t panel, const Box& box) const {
    const auto axis = choose_row_axis(plan_, maps_.original);
    std::string path, out;
    for (const auto& [row, name] : axis.names) {
      const auto y = box.y + box.height * row / rows_down_;
      path += move_to(box.x, y) + "h-" + write_length(tick_length);
      if (panel == 0)
        out += draw_text(box.x - tick_length - 3, y + 4, "end", name);
    }
    if (panel == 0 && !axis.title.empty())
      out += draw_upright_text(box.x - 46, box.y + box.height / 2, "middle", axis.title);

    return draw_path(path, thin) + out;
  }

  // Marks of the iterations that stay above the map, and of the processes on its right side. Of
  // those that would lie on each other, one is drawn.
  std::string draw_marks(const Box& box) const {
    std::string path;
    const auto add = [&](double place, double& last, auto&& write) {
      if (place - last < 0.5)
        return;
      path += write(place);
      last = place;
    };

    double last = -1;
    if (maps_.kept_iterations)
      for (auto iteration : *maps_.kept_iterations)
        add(find_x(iteration + 0.5), last, [&](double x) {
          return move_to(box.x + x, box.y - 2) + "v-" + write_length(mark_length);
        });

    last = -1;
    if (has_folded_rows())
      for (auto row : maps_.kept_rows)
        add(box.height * (static_cast<double>(row) + 0.5) / rows_down_, last, [&](double y) {
          return move_to(box.right() + 2, box.y + y) + "h" + write_length(mark_length);
        });

    return draw_path(path, mark);
  }

  bool has_places() const { return !maps_.original.shown.axes.empty(); }
  bool has_folded_rows() const { return maps_.kept_rows.size() < maps_.original.processes.size(); }

  // The colours and what they stand for.
  std::string draw_scale(double x, double y) const {
    std::string out;
    const Box bar{x, y, scale_width, scale_height};
    if (!scale_.is_empty())
      out += draw_bar(bar, scale_, unit_);

    y = scale_.is_empty() ? y : bar.bottom() + 12;
    const auto add = [&](const std::string& sign, const std::string& text) {
      out += sign + draw_text(x + scale_width + 8, y + swatch - 1, "start", text);
      y += line_height + 2;
    };
    if (has_unknown_)
      add(draw_rectangle({x + 2, y, swatch, swatch},
                         fill(ColourScale::make_palette().back()) + " stroke=\"#404040\""),
          "no value");
    if (maps_.kept_iterations)
      add(draw_path(move_to(x + 7, y + 1) + "v" + write_length(mark_length + 1), mark),
          "iteration that stays");
    if (has_folded_rows())
      add(draw_path(move_to(x + 3, y + 5) + "h" + write_length(mark_length + 1), mark),
          "process that stays");

    return out;
  }

  static std::string draw_bar(const Box& bar, const ColourScale& scale, const AxisUnit& unit) {
    IndexedImage image{1, ColourScale::levels, {}, ColourScale::make_palette()};
    for (auto level = ColourScale::levels; level-- > 0;)
      image.pixels.push_back(
          static_cast<std::uint8_t>(scale.is_flat() ? ColourScale::levels / 2 : level));

    auto out = draw_image(bar, image) + draw_rectangle(bar, frame);
    std::string path;
    const auto add = [&](double share, const std::string& text) {
      const auto y = bar.bottom() - share * bar.height;
      path += move_to(bar.right(), y) + "h" + write_length(tick_length);
      out += draw_text(bar.right() + tick_length + 4, y + 4, "start", text);
    };

    const auto in_unit = [&](double value) { return value / unit.size; };
    if (scale.is_flat()) {
      add(0.5, write_numbers(std::vector<double>{in_unit(scale.low())}).front());
    } else if (scale.is_even()) {
      const auto low = in_unit(scale.low()), high = in_unit(scale.high());
      constexpr double least_gap = 22;  // so that numbers do not touch each other
      const auto room = static_cast<std::size_t>(std::max(bar.height / least_gap, 1.0));
      const auto ticks = choose_ticks(low, high, std::min(most_ticks, room));
      for (auto value : ticks.values)
        add((value - low) / (high - low), write_number(value, ticks.step));
    } else {
      constexpr std::array shares{0.0, 0.25, 0.5, 0.75, 1.0};
      std::vector<double> values;
      for (auto share : shares)
        values.push_back(in_unit(scale.find_value(share)));
      const auto texts = write_numbers(values);
      for (std::size_t k = 0; k < shares.size(); ++k)
        add(shares[k], texts[k]);
    }

    out += draw_path(path, thin);
    if (!unit.name.empty())
      out += draw_text(bar.x, bar.y - 8, "start", unit.name);

    return out;
  }

  // Lines at round values.
  std::string draw_value_axis(const Box& box, bool is_named, const ValueAxis& axis) const {
    std::string path, out;
    const auto ticks =
        choose_ticks(axis.low / axis.unit.size, axis.high / axis.unit.size, most_value_ticks);
    for (auto value : ticks.values) {
      const auto y = axis.find_y(box, value * axis.unit.size);
      path += move_to(box.x, y) + "h" + write_length(box.width);
      if (is_named)
        out += draw_text(box.x - tick_length - 3, y + 4, "end", write_number(value, ticks.step));
    }

    return draw_path(path, grid) + out;
  }

  std::string draw_graphs(double top, double legend_x) const {
    std::vector<Spreads> spreads{list_spreads(maps_.original)};
    if (maps_.reconstruction)
      spreads.push_back(list_spreads(*maps_.reconstruction));

    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& of : spreads) {
      largest = std::max(largest, find_largest(of.maximum));
      smallest = std::min(smallest, find_smallest(of.minimum));
    }
    const auto& map = maps_.original;
    const auto axis =
        make_axis(choose_unit(plan_, map.kind, largest, map.recorded_unit), smallest, largest);

    auto out = draw_text(
        left_margin, top - 10, "start",
        add_unit(fmt::format("minimum, median and maximum over {}", name_rows(maps_.original).many),
                 axis.unit));
    for (std::size_t p = 0; p < panels(); ++p) {
      const Box box{panel_x(p), top, width_, graph_height};
      out += draw_value_axis(box, p == 0, axis);
      out += draw_spreads(box, spreads, p, axis);
      out += draw_rectangle(box, frame) + draw_iteration_ticks(box);
    }

    return out + draw_graph_legend(legend_x, top);
  }

  // Where columns of so many iterations begin, the last one at the end of the last iteration.
  auto make_columns(const Box& box, std::size_t per_column) const {
    return [this, &box, per_column](std::size_t column) {
      return box.x +
             find_x(static_cast<double>(std::min(column * per_column, maps_.original.iterations)));
    };
  }

  std::string draw_spreads(const Box& box, const std::vector<Spreads>& spreads, std::size_t panel,
                           const ValueAxis& axis) const {
    return draw_spread_lines(box, spreads, panel, axis,
                             make_columns(box, spreads[panel].per_column));
  }

  // `at` gives the x where a column begins.
  template <class At>
  static std::string draw_spread_lines(const Box& box, const std::vector<Spreads>& spreads,
                                       std::size_t panel, const ValueAxis& axis, const At& at) {
    const auto& original = spreads.front();
    const auto& own = spreads[panel];
    const auto height = [&](double value) { return axis.find_y(box, value); };
    const auto write_line = [&](const std::vector<double>& values, const Colour& colour) {
      return draw_path(write_steps(values, at, height),
                       fmt::format(" fill=\"none\" stroke=\"{}\"{}", write_colour(colour),
                                   panel > 0 ? dashes : ""));
    };

    return draw_path(write_area(original.minimum, original.maximum, at, height), band_fill) +
           write_line(own.maximum, maximum_colour) + write_line(own.minimum, minimum_colour) +
           write_line(own.median, median_colour);
  }

  std::string draw_graph_legend(double x, double y) const {
    std::string out;
    y += 6;
    const auto add = [&](const Colour& colour, const char* text) {
      const auto line = [&](double left, const char* more) {
        return draw_path(move_to(left, y + 5) + "h18",
                         fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}",
                                     write_colour(colour), more));
      };
      out += line(x, "");
      if (panels() == 2)
        out += line(x + 24, dashes);
      out += draw_text(x + (panels() == 2 ? 50 : 26), y + 9, "start", text);
      y += line_height + 1;
    };

    add(maximum_colour, "maximum");
    add(median_colour, "median");
    add(minimum_colour, "minimum");
    if (panels() == 2) {
      out += draw_text(x, y + 11, "start", "dashed: reconstruction", grey_text);
      y += line_height + 3;
    }
    out += draw_rectangle({x, y, 18, swatch}, band_fill);
    out += draw_text(x + 26, y + 9, "start", panels() == 2 ? "range of the original" : "range");

    return out;
  }

  // How each process is spread over iterations.
  std::string draw_process_graphs(double top, double legend_x) const {
    std::vector<Spreads> spreads{list_row_spreads(maps_.original)};
    if (maps_.reconstruction)
      spreads.push_back(list_row_spreads(*maps_.reconstruction));

    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& of : spreads) {
      largest = std::max(largest, find_largest(of.maximum));
      smallest = std::min(smallest, find_smallest(of.minimum));
    }
    const auto& map = maps_.original;
    const auto axis =
        make_axis(choose_unit(plan_, map.kind, largest, map.recorded_unit), smallest, largest);

    auto out = draw_text(left_margin, top - 10, "start",
                         add_unit(fmt::format("minimum, median and maximum over iterations, by {}",
                                              name_rows(map).one),
                                  axis.unit));
    const auto rows = static_cast<double>(map.processes.size());
    for (std::size_t p = 0; p < panels(); ++p) {
      const Box box{panel_x(p), top, width_, graph_height};
      const auto per_column = static_cast<double>(spreads[p].per_column);
      const auto at = [&](std::size_t column) {
        return box.x + box.width * std::min(static_cast<double>(column) * per_column, rows) / rows;
      };
      out += draw_value_axis(box, p == 0, axis);
      out += draw_spread_lines(box, spreads, p, axis, at);
      out += draw_rectangle(box, frame) + draw_process_names(box, rows);
    }

    return out + draw_graph_legend(legend_x, top);
  }

  std::string draw_process_names(const Box& box, double rows) const {
    const auto axis = choose_row_axis(plan_, maps_.original);
    const auto step = 1 + axis.names.size() / (most_ticks + 1);
    const auto room = static_cast<std::size_t>(
        std::max(box.width * static_cast<double>(step) /
                     static_cast<double>(std::max<std::size_t>(axis.names.size(), 1)) / 7,
                 3.0));
    std::string path, out;
    for (std::size_t k = 0; k < axis.names.size(); k += step) {
      const auto x = box.x + box.width * axis.names[k].row / rows;
      path += move_to(x, box.bottom()) + "v" + write_length(tick_length);
      out += draw_text(x, box.bottom() + tick_length + 12, "middle",
                       shorten(axis.names[k].name, room));
    }
    out += draw_text(box.x + box.width / 2, box.bottom() + axis_name_height, "middle",
                     axis.title.empty() ? name_rows(maps_.original).one : axis.title);
    return draw_path(path, thin) + out;
  }

  // The grid that the processes form.
  std::string draw_places(double top, double legend_x) const {
    std::vector<std::vector<double>> values{find_place_values(maps_.original)};
    if (maps_.reconstruction)
      values.push_back(find_place_values(*maps_.reconstruction));
    std::vector<double> all;
    for (const auto& of : values)
      all.insert(all.end(), of.begin(), of.end());
    const ColourScale scale(scaling_, all);
    const auto& map = maps_.original;
    const auto unit = choose_unit(plan_, map.kind, scale.high(), map.recorded_unit);
    const auto write_value = [&unit](double value) {
      return fmt::format("{:.4g}{}{}", value / unit.size, unit.name.empty() ? "" : " ", unit.name);
    };

    std::vector<std::size_t> sizes;
    for (const auto& axis : map.shown.axes)
      sizes.push_back(axis.size);
    auto out = draw_text(
        left_margin, top - 10, "start",
        add_unit(fmt::format("mean over iterations by place in the grid of {}; the last axis goes "
                             "to the right",
                             fmt::join(sizes, " × ")),
                 unit));
    for (std::size_t p = 0; p < panels(); ++p)
      out += places_.draw(panel_x(p), top, values[p], scale, write_value);
    if (!scale.is_empty())
      out +=
          draw_bar({legend_x, top + 14, scale_width, std::min(scale_height, 0.9 * places_room())},
                   scale, unit);
    return out;
  }

  double places_room() const { return std::max(places_.height() - 20, 60.0); }

  std::string draw_parts(double top, double legend_x) const {
    std::vector<std::vector<StackedLayer>> stacks{
        stack_layers(layers_, maps_.layers.kind, &MapLayer::original)};
    if (maps_.reconstruction)
      stacks.push_back(stack_layers(layers_, maps_.layers.kind, &MapLayer::reconstruction));

    double largest = 0;
    for (const auto& parts : stacks)
      largest = std::max(largest, find_largest(parts.back().upper));
    const auto axis = make_axis(choose_unit(plan_, maps_.layers.kind, largest), 0, largest);

    auto out = draw_text(
        left_margin, top - 10, "start",
        add_unit(fmt::format("parts of {}, means over processes", maps_.layers.whole), axis.unit));
    for (std::size_t p = 0; p < panels(); ++p) {
      const Box box{panel_x(p), top, width_, graph_height};
      const auto at = make_columns(box, maps_.layers.per_column);
      const auto height = [&](double value) { return axis.find_y(box, value); };
      out += draw_value_axis(box, p == 0, axis);
      for (const auto& part : stacks[p])
        out += draw_path(write_area(part.lower, part.upper, at, height), fill(part.colour));
      out += draw_rectangle(box, frame) + draw_iteration_ticks(box);
    }

    // The uppermost part first.
    auto y = top + 4;
    for (auto part = stacks[0].rbegin(); part != stacks[0].rend(); ++part) {
      out += draw_rectangle({legend_x, y, swatch, swatch}, fill(part->colour));
      out += draw_text(legend_x + swatch + 6, y + 9, "start", part->name);
      y += line_height + 1;
    }

    return out;
  }

  const Plan& plan_;
  const ComparedMap& maps_;
  BinnedMap bins_, reconstructed_bins_;
  double width_;
  bool has_unknown_ = false;
  ColourScale scale_;
  std::vector<DrawnLayer> layers_;
  ColourScaling scaling_;
  PlaceDrawing places_;
  double iterations_across_ = 1, rows_down_ = 1;
  AxisUnit unit_;
};

}  // namespace

std::string to_svg(const Plan& plan, ComparedMap maps, const MapDrawing& options) {
  order_by_rank(plan, maps);
  return MapPicture(plan, maps, options).draw();
}

}  // namespace tracefold
