#include "emitters/profile/profile_drawing.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/box_plot.hpp"
#include "emitters/profile/process_summary.hpp"
#include "emitters/profile/profile_rows.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

// Sizes in pixels.
constexpr double names_width = 270, boxes_width = 560, plot_right_margin = 90;
constexpr double first_group_top = 84, plot_row_height = 20, plot_box_height = 11, plot_gap = 62;
constexpr double legend_height = 34, outlier_radius = 2.6, character_width = 6.1;
constexpr std::size_t most_drawn_groups = 24, most_axis_ticks = 8, longest_line_of_drawing = 120;
constexpr std::size_t longest_row_label = 38;

constexpr std::size_t place_of_median = 2;  // in shown_percentiles

const Spread& choose_spread(const ProfileRow& row, Quantity quantity) {
  return quantity == Quantity::visits      ? row.visits
         : quantity == Quantity::inclusive ? row.inclusive
                                           : row.exclusive;
}

const char* describe_quantity(Quantity quantity) {
  return quantity == Quantity::visits      ? "visits"
         : quantity == Quantity::inclusive ? "inclusive time"
                                           : "exclusive time";
}

std::string draw_circle(double x, double y) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\"/>\n",
                     write_length(x), write_length(y), write_length(outlier_radius),
                     write_colour(okabe_ito::vermillion));
}

// A box plot with outliers. `at` gives the x of a value.
template <class At>
std::string draw_box(const Spread& spread, double y, const At& at) {
  std::array<double, 5> places{};
  std::transform(spread.at.begin(), spread.at.end(), places.begin(), at);
  auto out = draw_box_plot(places, y, plot_box_height);
  for (auto value : spread.furthest_values)
    out += draw_circle(at(value), y);
  return out;
}

// Times of ranks, of their threads and of what they use have little to do with each other.
bool mixes_kinds(const Plan& plan, const GroupProfile& group) {
  const auto members = list_members(plan, group);
  return std::any_of(members.begin(), members.end(), [&](auto member) {
    const auto &first = plan.processes[members.front()], &other = plan.processes[member];
    return (first.thread == 0) != (other.thread == 0) ||
           first.rank.has_value() != other.rank.has_value();
  });
}

class BoxPlots {
 public:
  BoxPlots(const Plan& plan, const ProfileReport& report, Quantity shown, const std::string& part)
      : plan_(plan), report_(report), shown_(shown), part_(part), groups_(list_groups(report)) {
    if (report.all && mixes_kinds(plan, *report.all))
      groups_.erase(groups_.begin());
    left_out_ = groups_.size() - std::min(groups_.size(), most_drawn_groups);
    groups_.resize(groups_.size() - left_out_);
    for (const auto* group : groups_)
      for (const auto& row : group->rows)
        largest_ = std::max(largest_, find_largest(*group, choose_spread(row, shown)));
    unit_ = choose_unit(plan, shown == Quantity::visits ? MetricKind::count : MetricKind::time,
                        static_cast<double>(largest_));
  }

  std::string draw() const {
    std::string body;
    auto top = first_group_top;
    if (report_.summary) {
      body += draw_text(16, top - 8, "start",
                        "processes of each group: steps at least, mean and most exclusive time",
                        svg_style::heading_text);
      body += draw_process_summary(plan_, report_, names_width, top, boxes_width);
      top += measure_process_summary(report_) + plot_gap;
    }
    for (const auto* group : groups_)
      top = draw_group(*group, top, body);

    auto out = begin_svg(static_cast<int>(names_width + boxes_width + plot_right_margin),
                         static_cast<int>(top + legend_height));
    out += write_titles() + body + draw_legend(top);
    if (left_out_ > 0)
      out += draw_text(names_width, top + legend_height - 6, "start",
                       fmt::format("and {} more groups, which are not drawn", left_out_),
                       svg_style::grey_text);
    out += end_svg();
    return out;
  }

 private:
  std::uint64_t find_largest(const GroupProfile& group, const Spread& spread) const {
    if (stands_for_others(plan_, group))
      return spread.at[place_of_median];
    auto largest = spread.at.back();
    for (auto value : spread.furthest_values)
      largest = std::max(largest, value);
    return largest;
  }

  double find_x(std::uint64_t value) const {
    return names_width + (largest_ == 0 ? 0
                                        : boxes_width * static_cast<double>(value) /
                                              static_cast<double>(largest_));
  }

  std::string write_titles() const {
    const auto unit = unit_.name.empty() ? "" : fmt::format(" [{}]", unit_.name);
    return draw_text(16, 30, "start",
                     fmt::format("{} of processes{}", describe_quantity(shown_), unit),
                     svg_style::title_text) +
           draw_text(16, 50, "start",
                     shorten_name(make_printable(shorten_anchor(plan_.trace.anchor)),
                                  longest_line_of_drawing) +
                         (part_.empty() ? "" : " · " + part_),
                     svg_style::grey_text);
  }

  // Where the next group begins.
  double draw_group(const GroupProfile& group, double top, std::string& out) const {
    const auto height =
        plot_row_height * static_cast<double>(std::max<std::size_t>(group.rows.size(), 1));
    out +=
        draw_text(16, top - 8, "start", shorten(name_group(plan_, group), longest_line_of_drawing),
                  svg_style::heading_text);
    const Box box{names_width, top, boxes_width, height};
    out += draw_axis(box);

    RowDepths depths(report_);
    auto y = top + plot_row_height / 2;
    for (const auto& row : group.rows) {
      out += draw_row(group, row, depths.find(row), y);
      y += plot_row_height;
    }
    if (group.rows.empty())
      out += draw_text(box.x + 8, y + 4, "start", "no calls", svg_style::grey_text);
    if (group.left_out > 0)
      out += draw_text(box.x - 24, box.bottom() + 15, "end",
                       fmt::format("and {} more", group.left_out), svg_style::grey_text);

    return box.bottom() + plot_gap;
  }

  std::string draw_axis(const Box& box) const {
    std::string grid_path, tick_path, out;
    const auto ticks = choose_ticks(0, static_cast<double>(largest_) / unit_.size, most_axis_ticks);
    for (auto value : ticks.values) {
      const auto x = box.x + box.width * value * unit_.size / static_cast<double>(largest_);
      grid_path += move_to(x, box.y) + "v" + write_length(box.height);
      tick_path += move_to(x, box.bottom()) + "v" + write_length(svg_style::tick_length);
      out += draw_text(x, box.bottom() + 16, "middle", write_number(value, ticks.step));
    }
    return draw_path(grid_path, svg_style::grid) + draw_rectangle(box, svg_style::line) +
           draw_path(tick_path, svg_style::line) + out;
  }

  std::string draw_row(const GroupProfile& group, const ProfileRow& row, std::size_t depth,
                       double y) const {
    const auto name = name_row(plan_, report_, row, depth, NameLength::shortened);
    const auto begin = name.find_first_not_of(' ');
    const auto indent =
        begin == name.npos ? 0 : std::min<std::size_t>(begin, longest_row_label / 2);
    const auto text =
        shorten_name(name.substr(begin == name.npos ? 0 : begin), longest_row_label - indent);
    const auto& spread = choose_spread(row, shown_);
    const auto at = [this](std::uint64_t value) { return find_x(value); };

    auto out = "<g><title>" +
               escape_xml(describe_row(group, row, name_row(plan_, report_, row, depth))) +
               "</title>\n";
    out +=
        report_.view == ProfileReport::View::functions ||
                report_.view == ProfileReport::View::function_groups
            ? draw_text(names_width - 8, y + 4, "end", text)
            : draw_text(16 + character_width * static_cast<double>(indent), y + 4, "start", text);
    if (stands_for_others(plan_, group)) {
      const auto x = at(spread.at[place_of_median]);
      out += draw_line(x, y - plot_box_height / 2, x, y + plot_box_height / 2, svg_style::median);
    } else {
      out += draw_box(spread, y, at);
    }
    return out + "</g>\n";
  }

  std::string write_value(std::uint64_t value) const {
    return shown_ == Quantity::visits ? group_digits(value) : format_time(plan_, value);
  }

  std::string describe_row(const GroupProfile& group, const ProfileRow& row,
                           const std::string& name) const {
    const auto& spread = choose_spread(row, shown_);
    auto words = name.substr(std::min(name.find_first_not_of(' '), name.size()));
    for (std::size_t k = 0; k < shown_percentiles.size(); ++k)
      if (k == place_of_median || !stands_for_others(plan_, group))
        words += fmt::format(", {} %: {}", shown_percentiles[k], write_value(spread.at[k]));
    for (std::size_t k = 0; k < spread.furthest_values.size(); ++k)
      words += fmt::format(", {}: {}", name_process(plan_.processes[spread.furthest[k]]),
                           write_value(spread.furthest_values[k]));
    return words;
  }

  std::string draw_legend(double top) const {
    const auto y = top - 12;
    auto x = names_width;
    Spread shape;
    shape.at = {0, 14, 26, 40, 56};
    const auto at = [&x](std::uint64_t value) { return x + static_cast<double>(value); };
    auto out = draw_box(shape, y, at);
    out += draw_text(x + 66, y + 4, "start",
                     "box: 25 % to 75 % of the processes, line: median, whiskers: 2 % and 98 %");
    x = names_width + boxes_width - 24;
    return out + draw_circle(x, y) + draw_text(x + 9, y + 4, "start", "outlier");
  }

  const Plan& plan_;
  const ProfileReport& report_;
  Quantity shown_;
  const std::string& part_;
  std::vector<const GroupProfile*> groups_;
  std::size_t left_out_ = 0;
  std::uint64_t largest_ = 0;
  AxisUnit unit_;
};

}  // namespace

std::string to_svg(const Plan& plan, const ProfileReport& report, Quantity shown,
                   const std::string& part) {
  return BoxPlots(plan, report, shown, part).draw();
}

}  // namespace tracefold
