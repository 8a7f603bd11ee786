#include "emitters/iterations/map_drawing.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/iterations/colour_bar.hpp"
#include "emitters/iterations/map_layers.hpp"
#include "emitters/iterations/map_rows.hpp"
#include "emitters/iterations/place_drawing.hpp"
#include "emitters/iterations/spread_graph.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/svg.hpp"
#include "model/chosen_iterations.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
constexpr double parts_step = graph_height + row_gap + axis_name_height;
constexpr double mark_length = 7, swatch = 10, line_height = 15;
constexpr double scale_width = 14, scale_height = 176;

constexpr std::size_t enlarged_width = 1000, enlarged_height = 600;  // at most
constexpr std::size_t most_ticks = 8;
constexpr std::size_t longest_title = 110;
constexpr std::size_t most_stacked_rows = 4096;  // each is a part of every shape

constexpr std::string_view mark = " fill=\"none\" stroke=\"#000000\"";

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
        places_(maps.original.shown.axes, width_) {
    const auto& map = maps_.original;
    iterations_across_ = static_cast<double>(bins_.columns * bins_.per_column * map.per_column);
    rows_down_ = static_cast<double>(bins_.rows * bins_.per_row);
    unit_ = choose_unit(plan_, map.kind, scale_.high(), map.recorded_unit);
  }

  std::string draw() {
    const auto graph_top = first_panel_top + map_height + row_gap;
    const auto bottom = graph_top + graph_height;
    const auto legend_x = panel_x(panels()) - panel_gap + 24;
    const auto process_top = bottom + axis_name_height + row_gap;
    const auto parts_top = process_top + graph_height + axis_name_height + row_gap;
    const auto places_top = parts_top + measure_parts();
    const auto end = has_places() ? places_top + places_.height() : places_top - row_gap;

    auto out = begin_svg(static_cast<int>(legend_x + legend_width), static_cast<int>(end) + 16);
    out += write_title();
    for (std::size_t p = 0; p < panels(); ++p)
      out += draw_map(p, {panel_x(p), first_panel_top, width_, map_height});
    out += draw_scale(legend_x, first_panel_top);

    out += draw_iteration_graphs(graph_top, legend_x);
    for (std::size_t p = 0; p < panels(); ++p)
      out += draw_text(panel_x(p) + width_ / 2, bottom + axis_name_height, "middle", "iteration");
    out += draw_process_graphs(process_top, legend_x);
    if (has_parts())
      out += draw_parts(parts_top, legend_x);
    if (has_places())
      out += draw_places(places_top, legend_x);
    out += end_svg();

    return out;
  }

 private:
  std::size_t panels() const { return maps_.reconstruction ? 2 : 1; }
  double measure_parts() const {
    if (!has_parts())
      return 0;
    return (has_parts_of_rows() ? 3 : 2) * parts_step;
  }
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
    auto about =
        fmt::format("{} · loop {} · {} · {}", shorten_anchor(plan_.trace.anchor), map.loop + 1,
                    write_count(map.processes.size(), name_rows(map).one, name_rows(map).many),
                    write_count(map.iterations, "iteration", "iterations"));
    if (!map.call_path.empty())
      about += fmt::format(" · call paths '{}'", map.call_path);

    const auto title =
        add_unit(fmt::format("{} by iteration and {}", map.metric, name_rows(map).one), unit_);
    const auto format_line = [](const std::string& text) {
      return shorten_name(make_printable(text), longest_title);
    };

    auto out = draw_text(left_margin, 30, "start", format_line(title), svg_style::title_text);
    double y = 50;
    for (const auto& line : {format_line(about), describe_pixels(), describe_deviation()}) {
      if (line.empty())
        continue;
      out += draw_text(left_margin, y, "start", line, svg_style::grey_text);
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
    image = enlarge(image, enlarged_width, enlarged_height);

    auto out = draw_text(box.x, box.y - mark_length - 9, "start", write_panel_name(panel),
                         svg_style::heading_text);
    out += draw_image(box, image);
    out += draw_rectangle(box, svg_style::line);
    out += draw_iteration_ticks(box);
    out += draw_rows(panel, box);
    out += draw_marks(box);

    return out;
  }

  std::string draw_iteration_ticks(const Box& box) const {
    std::string path, out;
    for (auto iteration : choose_whole_ticks(maps_.original.iterations, most_ticks)) {
      const auto x = box.x + find_x(static_cast<double>(iteration) + 0.5);
      path += move_to(x, box.bottom()) + "v" + write_length(svg_style::tick_length);
      out += draw_text(x, box.bottom() + svg_style::tick_length + 12, "middle",
                       name_iterations(plan_, maps_.original.first + iteration,
                                       maps_.original.first + iteration));
    }

    return draw_path(path, svg_style::line) + out;
  }

  std::string draw_rows(std::size_t panel, const Box& box) const {
    const auto axis = choose_row_axis(plan_, maps_.original);
    std::string path, out;
    for (const auto& [row, name] : axis.names) {
      const auto y = box.y + box.height * row / rows_down_;
      path += move_to(box.x, y) + "h-" + write_length(svg_style::tick_length);
      if (panel == 0)
        out += draw_text(box.x - svg_style::tick_length - 3, y + 4, "end", name);
    }
    if (panel == 0 && !axis.title.empty())
      out += draw_upright_text(box.x - 46, box.y + box.height / 2, "middle", axis.title);

    return draw_path(path, svg_style::line) + out;
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
      out += draw_colour_bar(bar, scale_, unit_);

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

  // Where columns of so many iterations begin, the last one at the end of the last iteration.
  ColumnPlace make_columns(const Box& box, std::size_t per_column) const {
    return [this, &box, per_column](std::size_t column) {
      return box.x +
             find_x(static_cast<double>(std::min(column * per_column, maps_.original.iterations)));
    };
  }

  // Minimum, median and maximum of all panels. `list` gives them of a map, `find_columns` where the
  // columns of a box begin, and `draw_below` what stands below it.
  template <class List, class FindColumns, class DrawBelow>
  std::string draw_graphs(double top, double legend_x, const std::string& heading, const List& list,
                          const FindColumns& find_columns, const DrawBelow& draw_below) const {
    std::vector<Spreads> spreads{list(maps_.original)};
    if (maps_.reconstruction)
      spreads.push_back(list(*maps_.reconstruction));
    const auto axis = make_axis(plan_, maps_.original, spreads);

    auto out = draw_text(left_margin, top - 10, "start", add_unit(heading, axis.unit));
    for (std::size_t p = 0; p < panels(); ++p) {
      const Box box{panel_x(p), top, width_, graph_height};
      out += draw_value_axis(box, p == 0, axis);
      out += draw_spread_lines(box, spreads, p, axis, find_columns(box, spreads[p].per_column));
      out += draw_rectangle(box, svg_style::line) + draw_below(box);
    }

    return out + draw_spread_legend(legend_x, top, panels() == 2);
  }

  // How iterations are spread over processes.
  std::string draw_iteration_graphs(double top, double legend_x) const {
    return draw_graphs(
        top, legend_x,
        fmt::format("minimum, median and maximum over {}", name_rows(maps_.original).many),
        list_spreads,
        [this](const Box& box, std::size_t per_column) { return make_columns(box, per_column); },
        [this](const Box& box) { return draw_iteration_ticks(box); });
  }

  // How each process is spread over iterations.
  std::string draw_process_graphs(double top, double legend_x) const {
    const auto rows = static_cast<double>(maps_.original.processes.size());
    return draw_graphs(
        top, legend_x,
        fmt::format("minimum, median and maximum over iterations, by {}",
                    name_rows(maps_.original).one),
        list_row_spreads,
        [rows](const Box& box, std::size_t per_column) {
          return [&box, rows, per_column](std::size_t column) {
            return box.x +
                   box.width * std::min(static_cast<double>(column * per_column), rows) / rows;
          };
        },
        [this, rows](const Box& box) { return draw_process_names(box, rows); });
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
      path += move_to(x, box.bottom()) + "v" + write_length(svg_style::tick_length);
      out += draw_text(x, box.bottom() + svg_style::tick_length + 12, "middle",
                       shorten(axis.names[k].name, room));
    }
    out += draw_text(box.x + box.width / 2, box.bottom() + axis_name_height, "middle",
                     axis.title.empty() ? name_rows(maps_.original).one : axis.title);
    return draw_path(path, svg_style::line) + out;
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
        add_unit(fmt::format("{} by place in the grid of {}; the last axis goes to the right",
                             map.iterations == 1 ? "value" : "mean over iterations",
                             fmt::join(sizes, " × ")),
                 unit));
    for (std::size_t p = 0; p < panels(); ++p)
      out += places_.draw(panel_x(p), top, values[p], scale, write_value);
    if (!scale.is_empty())
      out += draw_colour_bar(
          {legend_x, top + 14, scale_width, std::min(scale_height, 0.9 * places_room())}, scale,
          unit);
    return out;
  }

  double places_room() const { return std::max(places_.height() - 20, 60.0); }

  // Which values of layers a graph stacks, in each panel.
  struct StackedValues {
    std::vector<double> MapLayer::*original;
    std::vector<double> MapLayer::*reconstruction;
  };
  static constexpr StackedValues of_iterations{&MapLayer::original, &MapLayer::reconstruction},
      of_rows{&MapLayer::original_rows, &MapLayer::reconstruction_rows};

  // The parts of all panels on each other. `find_columns` and `draw_below` as in draw_graphs.
  template <class FindColumns, class DrawBelow>
  std::string draw_stacks(double top, const std::string& heading, const StackedValues& values,
                          bool are_shares, const FindColumns& find_columns,
                          const DrawBelow& draw_below) const {
    std::vector<std::vector<StackedLayer>> stacks{
        stack_layers(layers_, maps_.layers.kind, values.original)};
    if (maps_.reconstruction)
      stacks.push_back(stack_layers(layers_, maps_.layers.kind, values.reconstruction));
    if (are_shares)
      for (auto& stack : stacks)
        show_shares(stack);

    double largest = 0;
    for (const auto& parts : stacks)
      largest = std::max(largest, find_highest(parts.back().upper));
    const auto axis = are_shares
                          ? ValueAxis{0, 100, {"%", 1}}
                          : make_axis(choose_unit(plan_, maps_.layers.kind, largest), 0, largest);

    auto out = draw_text(left_margin, top - 10, "start", add_unit(heading, axis.unit));
    for (std::size_t p = 0; p < panels(); ++p) {
      const Box box{panel_x(p), top, width_, graph_height};
      const auto at = find_columns(box);
      out += draw_value_axis(box, p == 0, axis);
      for (const auto& part : stacks[p])
        out += draw_area(box, axis, part.lower, part.upper, at, fill(part.colour));
      out += draw_rectangle(box, svg_style::line) + draw_below(box);
    }
    return out;
  }

  // Of each iteration, as time and as shares, and of each row.
  std::string draw_parts(double top, double legend_x) const {
    const auto& whole = maps_.layers.whole;
    const auto over_rows =
        fmt::format("parts of {}, means over {}", whole, name_rows(maps_.original).many);
    const auto by_iteration = [this](const Box& box) {
      return make_columns(box, maps_.layers.per_column);
    };
    const auto ticks = [this](const Box& box) {
      return draw_iteration_ticks(box) + draw_text(box.x + box.width / 2,
                                                   box.bottom() + axis_name_height, "middle",
                                                   "iteration");
    };
    auto out = draw_stacks(top, over_rows, of_iterations, false, by_iteration, ticks);

    // The uppermost part first.
    auto y = top + 4;
    const auto stack = stack_layers(layers_, maps_.layers.kind, &MapLayer::original);
    for (auto part = stack.rbegin(); part != stack.rend(); ++part) {
      out += draw_rectangle({legend_x, y, swatch, swatch}, fill(part->colour));
      out += draw_text(legend_x + swatch + 6, y + 9, "start", part->name);
      y += line_height + 1;
    }
    out += draw_stacks(top + parts_step, over_rows, of_iterations, true, by_iteration, ticks);
    if (!has_parts_of_rows())
      return out;

    const auto rows = static_cast<double>(maps_.original.processes.size());
    return out + draw_stacks(
                     top + 2 * parts_step,
                     fmt::format("parts of {} by {}, means over iterations", whole,
                                 name_rows(maps_.original).one),
                     of_rows, false,
                     [rows](const Box& box) {
                       return [&box, rows](std::size_t row) {
                         return box.x + box.width * std::min(static_cast<double>(row), rows) / rows;
                       };
                     },
                     [this, rows](const Box& box) { return draw_process_names(box, rows); });
  }

  bool has_parts() const { return layers_.size() > 1; }
  bool has_parts_of_rows() const {
    return !layers_.front().layer.original_rows.empty() &&
           maps_.original.processes.size() <= most_stacked_rows;
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
