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

constexpr double largest_panel = 420;  // pixels
constexpr double largest_cell = 28, least_height = 24;
constexpr double left = 70, top = 84, between = 150, below = 60, bar_gap = 10, bar_thickness = 12;
constexpr std::size_t longest_panel_title = 62;  // characters
constexpr std::uint8_t nobody = 255;             // a place of the palette

constexpr const char* mark_style = " fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2.5\"";
constexpr const char* old_mark_style =
    " fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"";

// Axes as rows and columns of a map.
struct MapAxes {
  std::vector<std::size_t> sizes;
  std::size_t columns = 1, rows = 1;
  std::string row_name, column_name;

  explicit MapAxes(const std::vector<CorrelationAxis>& axes) {
    std::size_t column_axis = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      sizes.push_back(axes[a].size);
      if (axes[a].size > 1)
        column_axis = a;
    }
    // What is behind the columns has one place.
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (a == column_axis) {
        columns = axes[a].size;
        column_name = make_printable(axes[a].name);
      } else if (axes[a].size > 1) {
        rows *= axes[a].size;
        row_name += (row_name.empty() ? "" : " x ") + make_printable(axes[a].name);
      }
  }
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

// The finding that is shown: that of the second view.
const CorrelationFinding* find_shown(const CorrelationReport& report) {
  if (report.pictures.size() < 2)
    return nullptr;
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [&](const auto& finding) { return finding.view == report.pictures[1].view; });
  return found == report.findings.end() ? nullptr : &*found;
}

// Where the queried view is highest, of the points that have a process at the shifted place, too.
std::optional<std::pair<std::size_t, std::size_t>> choose_mark(const CorrelationReport& report) {
  const auto* shown = find_shown(report);
  if (!shown)
    return std::nullopt;

  const auto &from = report.pictures[0].values, &to = report.pictures[1].values;
  std::optional<std::pair<std::size_t, std::size_t>> best;
  for (std::size_t point = 0; point < from.size(); ++point) {
    if (std::isnan(from[point]) || (best && from[point] <= from[best->first]))
      continue;
    const auto shifted = shift_point(report.scope.axes, point, shown->shift);
    if (shifted && !std::isnan(to[*shifted]))
      best = {point, *shifted};
  }

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

constexpr std::size_t longest_side = 1000;  // of a picture that is enlarged, in pixels

class CorrelationMaps {
 public:
  CorrelationMaps(const Plan& plan, const CorrelationReport& report)
      : plan_(plan), report_(report), axes_(report.scope.axes) {
    width_ = std::min(largest_panel, static_cast<double>(axes_.columns) * largest_cell);
    height_ =
        std::clamp(static_cast<double>(axes_.rows) * largest_cell, least_height, largest_panel);
    // Titles stand above the maps and need room.
    width_ = std::max(width_, largest_panel * 0.8);
  }

  std::string draw() const {
    const auto panels = static_cast<double>(std::max<std::size_t>(report_.pictures.size(), 1));
    auto out = begin_svg(static_cast<int>(left + panels * (width_ + between)),
                         static_cast<int>(top + height_ + below));
    const auto* shown = find_shown(report_);
    out += draw_text(left, 22, "start",
                     shown ? describe_shift(report_, *shown) : "nothing correlates with this view",
                     " font-weight=\"bold\"");
    for (std::size_t panel = 0; panel < report_.pictures.size(); ++panel)
      out += draw_panel(panel);
    out += draw_marks();
    out += end_svg();
    return out;
  }

 private:
  Box place(std::size_t panel) const {
    return {left + static_cast<double>(panel) * (width_ + between), top, width_, height_};
  }
  Box place(std::size_t panel, std::size_t point) const {
    const auto box = place(panel);
    const auto cell_width = width_ / static_cast<double>(axes_.columns);
    const auto cell_height = height_ / static_cast<double>(axes_.rows);
    return {box.x + static_cast<double>(point % axes_.columns) * cell_width,
            box.y + static_cast<double>(point / axes_.columns) * cell_height, cell_width,
            cell_height};
  }

  std::string draw_panel(std::size_t panel) const {
    const auto& picture = report_.pictures[panel];
    const auto& view = report_.scope.views[picture.view];
    double low = 0, high = 0;
    bool is_first = true;
    for (auto value : picture.values)
      if (!std::isnan(value)) {
        low = is_first ? value : std::min(low, value);
        high = is_first ? value : std::max(high, value);
        is_first = false;
      }

    IndexedImage image{axes_.columns, axes_.rows, {}, make_palette()};
    for (auto value : picture.values)
      image.pixels.push_back(choose_level(value, low, high));

    const auto box = place(panel);
    auto out = draw_text(box.x, box.y - 38, "start", make_printable(view.metric)) +
               draw_text(box.x, box.y - 20, "start",
                         shorten_name(make_printable(view.call_path), longest_panel_title));
    out += draw_image(box, enlarge(image, longest_side, longest_side));
    out += draw_rectangle(box, " fill=\"none\" stroke=\"#606060\"");
    return out + draw_ticks(box) + draw_scale(box, view, low, high);
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

  std::string draw_ticks(const Box& box) const {
    std::string out;
    for (auto place : choose_whole_ticks(axes_.columns, 8))
      out += draw_text(box.x + (static_cast<double>(place) + 0.5) * box.width /
                                   static_cast<double>(axes_.columns),
                       box.bottom() + 16, "middle", std::to_string(place));
    out += draw_text(box.x + box.width / 2, box.bottom() + 36, "middle", axes_.column_name);
    if (axes_.rows == 1)
      return out;
    for (auto place : choose_whole_ticks(axes_.rows, 8))
      out += draw_text(
          box.x - 6,
          box.y +
              (static_cast<double>(place) + 0.5) * box.height / static_cast<double>(axes_.rows) + 4,
          "end", std::to_string(place));
    return out + draw_upright_text(box.x - 44, box.y + box.height / 2, "middle", axes_.row_name);
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

  // The same place in both maps, and the shifted one in the second.
  std::string draw_marks() const {
    const auto mark = choose_mark(report_);
    if (!mark)
      return {};

    const auto& [point, shifted] = *mark;
    auto out = draw_rectangle(place(0, point), mark_style);
    if (shifted != point) {
      const auto from = place(1, point), to = place(1, shifted);
      out += draw_rectangle(from, old_mark_style);
      out += draw_path(
          fmt::format("M{} {}L{} {}", write_length(from.x + from.width / 2),
                      write_length(from.y + from.height / 2), write_length(to.x + to.width / 2),
                      write_length(to.y + to.height / 2)),
          old_mark_style);
    }
    return out + draw_rectangle(place(1, shifted), mark_style);
  }

  const Plan& plan_;
  const CorrelationReport& report_;
  MapAxes axes_;
  double width_ = 0, height_ = 0;
};

}  // namespace

std::string to_svg(const Plan& plan, const CorrelationReport& report) {
  return CorrelationMaps(plan, report).draw();
}

}  // namespace tracefold
