#include "emitters/correlation/correlation_drawing.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/svg.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// Pixels.
constexpr double largest_panel = 420, smallest_panel = 336;
constexpr double largest_cell = 28, seen_cell = 14, smallest_cell = 4, least_height = 24;
constexpr double left = 70, top = 20, head = 84, between = 150, below = 60;
constexpr double view_block_gap = 16, block_name = 18;
constexpr double bar_gap = 10, bar_thickness = 12;
constexpr std::size_t panels_in_line = 4;
constexpr std::size_t longest_panel_title = 62;  // characters
constexpr std::uint8_t nobody = 255;             // a place of the palette

constexpr const char* mark_style = " fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2.5\"";
constexpr const char* old_mark_style =
    " fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"";

// Axes as rows, columns and blocks of a map: the first axis goes to the right, the second one down,
// and each place on all others has a block. Iterations, where they are an axis, go to the right,
// and what all other axes have down.
class MapAxes {
 public:
  explicit MapAxes(const CorrelationScope& scope) {
    const auto& axes = scope.axes;
    std::vector<std::size_t> wide;  // axes of more than one place
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (axes[a].size > 1)
        wide.push_back(a);
    if (wide.empty())
      wide.push_back(0);
    const bool has_iterations = scope.loop && wide.back() + 1 == axes.size();
    if (has_iterations)
      std::rotate(wide.begin(), wide.end() - 1, wide.end());

    for (const auto& axis : axes)
      axes_.push_back({axis.size, Part::block, make_printable(axis.name)});
    for (std::size_t i = 0; i < wide.size(); ++i)
      axes_[wide[i]].part = i == 0                     ? Part::column
                            : i == 1 || has_iterations ? Part::row
                                                       : Part::block;
    for (const auto& axis : axes_) {
      count(axis.part) *= axis.size;
      if (axis.size > 1 || axis.part == Part::column) {
        auto& name = names_[static_cast<std::size_t>(axis.part)];
        name += (name.empty() ? "" : " x ") + axis.name;
      }
    }
    is_square_ = !has_iterations && rows() > 1;
  }

  std::size_t columns() const { return counts_[0]; }
  std::size_t rows() const { return counts_[1]; }
  std::size_t blocks() const { return counts_[2]; }
  std::size_t points() const { return columns() * rows() * blocks(); }
  const std::string& column_name() const { return names_[0]; }
  const std::string& row_name() const { return names_[1]; }
  bool is_square() const { return is_square_; }  // its cells should be

  // Where a point is; with frequencies for points, 0 is in the middle of each axis.
  struct Cell {
    std::size_t column = 0, row = 0, block = 0;
  };
  Cell find(std::size_t point, bool is_frequency = false) const {
    std::size_t places[3] = {0, 0, 0}, strides[3] = {1, 1, 1};
    for (auto a = axes_.size(); a-- > 0;) {
      const auto& axis = axes_[a];
      const auto part = static_cast<std::size_t>(axis.part);
      auto place = point % axis.size;
      if (is_frequency)
        place = (place + axis.size / 2) % axis.size;
      places[part] += place * strides[part];
      strides[part] *= axis.size;
      point /= axis.size;
    }
    return {places[0], places[1], places[2]};
  }

  // "z 2"; empty where there is one block only.
  std::string name_block(std::size_t block, bool is_frequency) const {
    std::string name;
    for (auto a = axes_.size(); a-- > 0;) {
      const auto& axis = axes_[a];
      if (axis.part != Part::block || axis.size == 1)
        continue;
      const auto place = static_cast<std::int64_t>(block % axis.size) -
                         (is_frequency ? static_cast<std::int64_t>(axis.size / 2) : 0);
      block /= axis.size;
      name = fmt::format("{} {}{}{}", axis.name, place, name.empty() ? "" : ", ", name);
    }
    return name;
  }

 private:
  enum class Part { column, row, block };
  struct Axis {
    std::size_t size = 1;
    Part part = Part::block;
    std::string name;
  };
  std::size_t& count(Part part) { return counts_[static_cast<std::size_t>(part)]; }

  std::vector<Axis> axes_;
  std::size_t counts_[3] = {1, 1, 1};
  std::string names_[3];
  bool is_square_ = false;
};

// The point that is so many steps further; none where the grid ends before.
std::optional<std::size_t> shift_point(const std::vector<CorrelationAxis>& axes, std::size_t point,
                                       const std::vector<std::int32_t>& shift) {
  std::size_t shifted = 0, stride = 1;
  for (auto a = axes.size(); a-- > 0;) {
    const auto size = static_cast<std::int64_t>(axes[a].size);
    auto place = static_cast<std::int64_t>(point % axes[a].size);
    point /= axes[a].size;
    if (a < shift.size())
      place += shift[a];
    if (axes[a].periodic)
      place = ((place % size) + size) % size;
    if (place < 0 || place >= size)
      return std::nullopt;
    shifted += static_cast<std::size_t>(place) * stride;
    stride *= axes[a].size;
  }

  return shifted;
}

// The finding that a picture is of; null of the queried view.
const CorrelationFinding* find_shown(const CorrelationReport& report, std::size_t picture) {
  if (picture == 0 || picture >= report.pictures.size())
    return nullptr;
  const auto found = std::find_if(
      report.findings.begin(), report.findings.end(),
      [&](const auto& finding) { return finding.view == report.pictures[picture].view; });
  return found == report.findings.end() ? nullptr : &*found;
}

// Where a finding has the shifted place of a point; none where no process is there.
std::optional<std::size_t> find_shifted(const CorrelationReport& report, std::size_t picture,
                                        std::size_t point) {
  const auto* shown = find_shown(report, picture);
  const auto shifted = shown ? shift_point(report.scope.axes, point, shown->shift) : std::nullopt;
  const bool is_there = shifted && !std::isnan(report.pictures[picture].values[*shifted]);
  return is_there ? shifted : std::nullopt;
}

// Where the queried view is highest, of the points that have a process at the shifted place of the
// first finding, too.
std::optional<std::size_t> choose_mark(const CorrelationReport& report) {
  if (!find_shown(report, 1))
    return std::nullopt;

  const auto& from = report.pictures[0].values;
  std::optional<std::size_t> best;
  for (std::size_t point = 0; point < from.size(); ++point)
    if (!std::isnan(from[point]) && (!best || from[point] > from[*best]) &&
        find_shifted(report, 1, point))
      best = point;
  return best;
}

std::string describe_shift(const CorrelationReport& report, const CorrelationFinding& finding) {
  std::string shift;
  for (std::size_t a = 0; a < finding.shift.size(); ++a)
    if (finding.shift[a] != 0)
      shift += fmt::format(" {}{:+}", make_printable(report.scope.axes[a].name), finding.shift[a]);

  return fmt::format("r {:+.3f}, {}{}", finding.r, shift.empty() ? "not shifted" : "shift" + shift,
                     finding.chance ? fmt::format(", chance {:.3f}", *finding.chance) : "");
}

constexpr std::size_t longest_side = 1000;  // of all pictures that are enlarged, in pixels
constexpr double least_cell = 0.05;

class CorrelationMaps {
 public:
  CorrelationMaps(const Plan& plan, const CorrelationReport& report)
      : plan_(plan), report_(report), axes_(report.scope) {
    const auto columns = static_cast<double>(axes_.columns());
    const auto rows = static_cast<double>(axes_.rows());
    const auto blocks = static_cast<double>(axes_.blocks());
    // Beside each other as far as they can be seen there, else about as many as fill a square.
    const auto fit =
        std::floor((largest_panel + view_block_gap) / (columns * seen_cell + view_block_gap));
    in_line_ = static_cast<std::size_t>(
        std::clamp(std::max(fit, std::round(std::sqrt(blocks * rows / columns))), 1.0, blocks));
    const auto across = static_cast<double>(in_line_), down = std::ceil(blocks / across);
    const auto gaps = (across - 1) * view_block_gap;
    cell_width_ = std::clamp((largest_panel - gaps) / (across * columns), least_cell, largest_cell);
    cell_height_ = std::clamp(largest_cell, least_height / rows, largest_panel / (rows * down));
    if (axes_.is_square())
      cell_width_ = cell_height_ = std::min(cell_width_, std::max(cell_height_, smallest_cell));
    else if (axes_.blocks() == 1)  // titles stand above and need room
      cell_width_ = std::max(cell_width_, smallest_panel / columns);

    block_step_x_ = columns * cell_width_ + view_block_gap;
    block_step_y_ = rows * cell_height_ + (axes_.blocks() == 1 ? 0 : block_name);
    map_width_ = across * block_step_x_ - view_block_gap;
    map_height_ = down * block_step_y_;
    panel_width_ = std::max(map_width_, smallest_panel);
    const bool has_spectrum =
        std::any_of(report.pictures.begin(), report.pictures.end(),
                    [](const auto& picture) { return !picture.magnitudes.empty(); });
    panel_height_ = head + map_height_ + below + (has_spectrum ? map_height_ + below : 0);
  }

  std::string draw() const {
    const auto panels = std::max<std::size_t>(report_.pictures.size(), 1);
    const auto lines = (panels + panels_in_line - 1) / panels_in_line;
    const auto width = static_cast<double>(std::min(panels, panels_in_line));
    auto out = begin_svg(static_cast<int>(left + width * (panel_width_ + between)),
                         static_cast<int>(top + static_cast<double>(lines) * panel_height_));
    for (std::size_t panel = 0; panel < report_.pictures.size(); ++panel)
      out += draw_panel(panel);
    out += draw_marks();
    out += end_svg();
    return out;
  }

 private:
  // The map of a view.
  Box place(std::size_t panel) const {
    return {left + static_cast<double>(panel % panels_in_line) * (panel_width_ + between),
            top + head + static_cast<double>(panel / panels_in_line) * panel_height_, map_width_,
            map_height_};
  }
  Box place_block(const Box& map, std::size_t block) const {
    return {map.x + static_cast<double>(block % in_line_) * block_step_x_,
            map.y + static_cast<double>(block / in_line_) * block_step_y_ +
                (axes_.blocks() == 1 ? 0 : block_name),
            block_step_x_ - view_block_gap, static_cast<double>(axes_.rows()) * cell_height_};
  }
  Box place_point(std::size_t panel, std::size_t point) const {
    const auto cell = axes_.find(point);
    const auto block = place_block(place(panel), cell.block);
    return {block.x + static_cast<double>(cell.column) * cell_width_,
            block.y + static_cast<double>(cell.row) * cell_height_, cell_width_, cell_height_};
  }

  std::string draw_panel(std::size_t panel) const {
    const auto& picture = report_.pictures[panel];
    const auto& view = report_.scope.views[picture.view];
    const auto* shown = find_shown(report_, panel);
    const auto map = place(panel);
    const auto title = shown                         ? describe_shift(report_, *shown)
                       : report_.pictures.size() > 1 ? std::string("the view")
                                                     : "nothing correlates with this view";
    auto out = draw_text(map.x, map.y - 58, "start", title, svg_style::heading_text) +
               draw_text(map.x, map.y - 38, "start", make_printable(view.metric)) +
               draw_text(map.x, map.y - 20, "start",
                         shorten_name(make_printable(view.call_path), longest_panel_title)) +
               draw_map(map, view, picture.values, false);
    if (!picture.magnitudes.empty()) {
      const Box spectrum{map.x, map.bottom() + below, map.width, map.height};
      out += draw_map(spectrum, view, picture.magnitudes, true);
    }
    return out;
  }

  std::string draw_map(const Box& map, const CorrelationView& view,
                       const std::vector<double>& values, bool is_frequency) const {
    double low = 0, high = 0;
    bool is_first = true;
    for (auto value : values)
      if (!std::isnan(value)) {
        low = is_first ? value : std::min(low, value);
        high = is_first ? value : std::max(high, value);
        is_first = false;
      }
    if (is_frequency)  // but for rounding
      low = 0;

    const IndexedImage empty{axes_.columns(), axes_.rows(),
                             std::vector<std::uint8_t>(axes_.columns() * axes_.rows(), nobody),
                             make_palette()};
    std::vector<IndexedImage> images(axes_.blocks(), empty);
    for (std::size_t point = 0; point < values.size(); ++point) {
      const auto cell = axes_.find(point, is_frequency);
      images[cell.block].pixels[cell.row * axes_.columns() + cell.column] =
          choose_level(values[point], low, high);
    }

    std::string out;
    for (std::size_t block = 0; block < images.size(); ++block) {
      const auto box = place_block(map, block);
      if (axes_.blocks() > 1)
        out += draw_text(box.x, box.y - 5, "start", axes_.name_block(block, is_frequency),
                         svg_style::grey_text);
      const auto side = std::max<std::size_t>(longest_side / axes_.blocks(), 1);
      out += draw_image(box, enlarge(images[block], side, side));
      out += draw_rectangle(box, " fill=\"none\" stroke=\"#606060\"");
      const bool is_lowest = block + in_line_ >= axes_.blocks();
      out += draw_ticks(box, is_lowest, block % in_line_ == 0, is_frequency);
    }
    out += draw_text(map.x + map.width / 2, map.bottom() + 36, "middle",
                     (is_frequency ? "spectrum, periods along " : "") + axes_.column_name());
    if (axes_.rows() > 1)
      out += draw_upright_text(map.x - 44, map.y + map.height / 2, "middle", axes_.row_name());
    return out + draw_scale(map, view, low, high);
  }

  static std::vector<Colour> make_palette() {
    std::vector<Colour> palette(viridis.begin(), viridis.end());
    palette[nobody] = {236, 236, 236};
    return palette;
  }
  static std::uint8_t choose_level(double value, double low, double high) {
    if (std::isnan(value))
      return nobody;
    const auto share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<std::uint8_t>(std::lround(share * (nobody - 1)));
  }

  // Places, or frequencies from the middle on.
  std::string draw_ticks(const Box& box, bool has_columns, bool has_rows, bool is_frequency) const {
    std::string out;
    const auto list = [&](std::size_t count, double room) {
      const auto most = static_cast<std::size_t>(std::clamp(room, 1.0, 8.0));
      const auto middle = is_frequency ? count / 2 : 0;
      std::vector<std::pair<double, std::int64_t>> ticks;  // where, in places, and what is there
      for (auto tick : choose_whole_ticks(count - middle, is_frequency ? most / 2 + 1 : most)) {
        ticks.emplace_back(static_cast<double>(middle + tick) + 0.5, tick);
        if (is_frequency && tick > 0 && tick <= middle)
          ticks.emplace_back(static_cast<double>(middle - tick) + 0.5,
                             -static_cast<std::int64_t>(tick));
      }
      return ticks;
    };
    if (has_columns)
      for (const auto& [place, number] : list(axes_.columns(), box.width / 30))
        out += draw_text(box.x + place * cell_width_, box.bottom() + 16, "middle",
                         std::to_string(number));
    if (has_rows && axes_.rows() > 1)
      for (const auto& [place, number] : list(axes_.rows(), box.height / 18))
        out +=
            draw_text(box.x - 6, box.y + place * cell_height_ + 4, "end", std::to_string(number));
    return out;
  }

  // Beside the map, its ends told in a unit that fits.
  std::string draw_scale(const Box& box, const CorrelationView& view, double low,
                         double high) const {
    IndexedImage bar{1, nobody, {}, make_palette()};
    for (std::size_t level = nobody; level-- > 0;)
      bar.pixels.push_back(static_cast<std::uint8_t>(level));
    const Box at{box.right() + bar_gap, box.y, bar_thickness, box.height};

    const auto unit = view.per_second
                          ? AxisUnit{}
                          : choose_unit(plan_, view.kind, std::max(high, -low), view.recorded_unit);
    const auto write = [&](double value) {
      return fmt::format("{:.3g}{}{}", value / unit.size, unit.name.empty() ? "" : " ", unit.name);
    };
    return draw_image(at, bar) + draw_text(at.right() + 5, at.y + 10, "start", write(high)) +
           draw_text(at.right() + 5, at.bottom(), "start", write(low));
  }

  // The same place in all maps, and the shifted one in those of findings.
  std::string draw_marks() const {
    const auto point = choose_mark(report_);
    if (!point)
      return {};

    auto out = draw_rectangle(place_point(0, *point), mark_style);
    for (std::size_t panel = 1; panel < report_.pictures.size(); ++panel) {
      const auto shifted = find_shifted(report_, panel, *point);
      if (!shifted)
        continue;
      const auto from = place_point(panel, *point), to = place_point(panel, *shifted);
      if (*shifted != *point) {
        out += draw_rectangle(from, old_mark_style);
        out += draw_path(
            fmt::format("M{} {}L{} {}", write_length(from.x + from.width / 2),
                        write_length(from.y + from.height / 2), write_length(to.x + to.width / 2),
                        write_length(to.y + to.height / 2)),
            old_mark_style);
      }
      out += draw_rectangle(to, mark_style);
    }
    return out;
  }

  const Plan& plan_;
  const CorrelationReport& report_;
  MapAxes axes_;
  std::size_t in_line_ = 1;  // blocks beside each other
  double cell_width_ = 0, cell_height_ = 0, block_step_x_ = 0, block_step_y_ = 0;
  double map_width_ = 0, map_height_ = 0, panel_width_ = 0, panel_height_ = 0;
};

}  // namespace

std::string to_svg(const Plan& plan, const CorrelationReport& report) {
  return CorrelationMaps(plan, report).draw();
}

}  // namespace tracefold
