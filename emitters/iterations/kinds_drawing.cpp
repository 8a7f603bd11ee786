#include "emitters/iterations/kinds_drawing.hpp"

#include "base/choose_largest.hpp"
#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/box_plot.hpp"
#include "emitters/show_names.hpp"
#include "emitters/svg.hpp"
#include "model/chosen_iterations.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

// Pixels.
constexpr double kind_names_width = 230, kind_height = 46, kind_gap = 6, cell_box_height = 12;
constexpr double narrowest_cell = 80, cells_width = 820, first_row_top = 116, kind_axis_height = 44;
constexpr double cell_margin = 6, kinds_right_margin = 24;
constexpr std::size_t most_kind_rows = 16, most_kind_columns = 10, most_cell_ticks = 2,
                      longest_group_name = 34;

std::vector<std::size_t> list_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// White where the fold is exact, orange from 20 % on.
Colour shade(double error) {
  constexpr double weakest = 0.2;
  const auto part = std::isnan(error) ? 0 : std::min(error, weakest) / weakest;
  const auto mix = [&](std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(255 + part * (to - 255.0)));
  };
  return {mix(okabe_ito::orange.red), mix(okabe_ito::orange.green), mix(okabe_ito::orange.blue)};
}

class KindsPicture {
 public:
  KindsPicture(const Plan& plan, const GroupKinds& kinds, const IterationMap& map)
      : plan_(plan), kinds_(kinds), map_(map) {
    rows_ = choose_largest(list_numbers(kinds.groups.size()), most_kind_rows, [&](std::size_t g) {
      return count_processes(plan, (*plan.groups)[kinds.groups[g]].members);
    });
    columns_ = choose_largest(list_numbers(kinds.kinds.size()), most_kind_columns,
                              [&](std::size_t k) { return kinds.kinds[k].iterations.size(); });
    cell_width_ =
        std::max(narrowest_cell, cells_width / static_cast<double>(columns_.size()) - kind_gap);
    for (const auto row : rows_)
      for (const auto column : columns_)
        largest_ = std::max(largest_, kinds.cells[row][column].at.back());
    unit_ = choose_unit(plan, map.kind, largest_, map.recorded_unit);
  }

  std::string draw() const {
    std::string body;
    auto y = first_row_top;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      body += draw_heading(kinds_.kinds[columns_[k]], find_x(k));
    for (const auto row : rows_) {
      body += draw_text(kind_names_width - 12, y + kind_height / 2 + 4, "end", name_row(row));
      for (std::size_t k = 0; k < columns_.size(); ++k)
        body += draw_cell(kinds_.cells[row][columns_[k]], {find_x(k), y, cell_width_, kind_height});
      y += kind_height + kind_gap;
    }
    for (std::size_t k = 0; k < columns_.size(); ++k)
      body += draw_axis(find_x(k), y - kind_gap);
    y += kind_axis_height;
    const auto more = describe_more();
    if (!more.empty())
      body += draw_text(16, y - 6, "start", more, svg_style::grey_text);

    return begin_svg(static_cast<int>(find_x(columns_.size()) - kind_gap + kinds_right_margin),
                     static_cast<int>(y) + 8) +
           write_titles() + body + std::string(end_svg());
  }

 private:
  double find_x(std::size_t column) const {
    return kind_names_width + static_cast<double>(column) * (cell_width_ + kind_gap);
  }
  double scale(double value) const {
    return largest_ > 0 ? (cell_width_ - 2 * cell_margin) * value / largest_ : 0;
  }

  std::string write_titles() const {
    const auto unit = unit_.name.empty() ? "" : fmt::format(" [{}]", unit_.name);
    return draw_text(16, 30, "start",
                     fmt::format("{} of an iteration, by group and kind of iteration{}",
                                 map_.metric, unit),
                     svg_style::title_text) +
           draw_text(16, 50, "start",
                     fmt::format("{} · loop {} · box: 25 % to 75 % of processes and iterations, "
                                 "line: median, whiskers: 2 % and 98 %",
                                 make_printable(shorten_anchor(plan_.trace.anchor)), map_.loop + 1),
                     svg_style::grey_text) +
           draw_text(16, 66, "start",
                     "percent: how far a reduced trace is from these values; colour: 20 % and more "
                     "are orange",
                     svg_style::grey_text);
  }

  std::string name_row(std::size_t row) const {
    const auto group = kinds_.groups[row];
    return shorten(
        fmt::format("{}: {}× {}", group, count_processes(plan_, (*plan_.groups)[group].members),
                    show_group(plan_, group)),
        longest_group_name);
  }

  std::string draw_heading(const IterationKind& kind, double x) const {
    const auto count = kind.iterations.size();
    const auto number = name_iterations(plan_, kind.kept, kind.kept);
    const auto names = kinds_.kinds.size() == 1 ? std::string("all") : "like #" + number;
    return draw_text(x + cell_width_ / 2, first_row_top - 24, "middle", names,
                     svg_style::heading_text) +
           draw_text(x + cell_width_ / 2, first_row_top - 9, "middle",
                     fmt::format("{} iteration{}", count, count == 1 ? "" : "s"),
                     svg_style::grey_text);
  }

  std::string draw_cell(const KindCell& cell, const Box& box) const {
    auto out = draw_rectangle(
        box, fmt::format(" fill=\"{}\" stroke=\"#d0d0d0\"", write_colour(shade(cell.error))));
    if (cell.values == 0)
      return out + draw_text(box.x + box.width / 2, box.y + box.height / 2 + 4, "middle", "-");
    std::array<double, 5> at{};
    for (std::size_t k = 0; k < at.size(); ++k)
      at[k] = box.x + cell_margin + scale(cell.at[k]);
    out += draw_box_plot(at, box.y + 15, cell_box_height);
    const auto error = std::isnan(cell.error) ? "not known" : format_percent(cell.error);
    return out + draw_text(box.right() - cell_margin, box.bottom() - 6, "end", error);
  }

  std::string draw_axis(double x, double y) const {
    std::string path, out;
    const auto ticks = choose_ticks(0, largest_ / unit_.size, most_cell_ticks);
    for (const auto value : ticks.values) {
      const auto at = x + cell_margin + scale(value * unit_.size);
      path += move_to(at, y) + "v" + write_length(svg_style::tick_length);
      out += draw_text(at, y + 16, "middle", write_number(value, ticks.step));
    }
    return draw_path(path, svg_style::line) + out;
  }

  std::string describe_more() const {
    const auto groups = kinds_.groups.size() - rows_.size(),
               kinds = kinds_.kinds.size() - columns_.size();
    std::vector<std::string> parts;
    if (groups > 0)
      parts.push_back(fmt::format("{} more groups", groups));
    if (kinds > 0)
      parts.push_back(fmt::format("{} more kinds of iterations", kinds));
    return parts.empty() ? ""
                         : fmt::format("and {}, which are not drawn", fmt::join(parts, " and "));
  }

  const Plan& plan_;
  const GroupKinds& kinds_;
  const IterationMap& map_;
  std::vector<std::size_t> rows_, columns_;
  double cell_width_ = 0, largest_ = 0;
  AxisUnit unit_;
};

}  // namespace

std::string kinds_to_svg(const Plan& plan, const GroupKinds& kinds, const IterationMap& map) {
  return KindsPicture(plan, kinds, map).draw();
}

}  // namespace tracefold
