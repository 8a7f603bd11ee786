#include "emitters/profile/process_summary.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/profile/profile_rows.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"
#include "emitters/text_table.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

using Extent = ProcessSummary::Extent;

constexpr std::size_t most_table_bars = 24, most_drawn_bars = 48;
constexpr std::size_t longest_heading = 22, longest_bar_name = 30;

// Pixels.
constexpr double bar_height = 18, bar_step = 25, strip_width = 56, strip_gap = 12;
constexpr double key_gap = 16, key_step = 18, key_swatch = 10;
constexpr std::size_t keys_in_line = 3;

// One for each function that a summary may have.
constexpr std::array<Colour, 10> function_colours{
    okabe_ito::blue,       okabe_ito::orange, okabe_ito::bluish_green,   okabe_ito::sky_blue,
    okabe_ito::vermillion, okabe_ito::yellow, okabe_ito::reddish_purple, Colour{140, 107, 49},
    Colour{153, 153, 153}, Colour{64, 64, 64}};

std::string name_function(const Plan& plan, const ProfileReport& report, FunctionIndex function) {
  ProfileRow row;
  row.function = function;
  return name_row(plan, report, row, 0, NameLength::shortened);
}

// "474/541/591 ms", or "589 ms" where all have as much.
std::string write_extent(const Plan& plan, const Extent& extent) {
  if (extent.minimum == extent.maximum)
    return extent.maximum == 0 ? "-" : format_time(plan, extent.maximum);
  const auto unit = choose_unit(plan, MetricKind::time, static_cast<double>(extent.maximum));
  const auto write = [&](double ticks) {
    const auto value = ticks / unit.size;
    const auto decimals = value == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return fmt::format("{:.{}f}", value, decimals);
  };
  return fmt::format("{}/{}/{} {}", write(static_cast<double>(extent.minimum)), write(extent.mean),
                     write(static_cast<double>(extent.maximum)), unit.name);
}

std::string name_bar(const Plan& plan, const GroupProfile& group) {
  return group.cluster ? name_cluster(plan, group) : show_group(plan, group.group);
}

std::size_t count_drawn(const ProfileReport& report) {
  return std::min(report.groups.size(), most_drawn_bars);
}

std::uint64_t sum_maxima(const std::vector<Extent>& bar) {
  std::uint64_t sum = 0;
  for (const auto& extent : bar)
    sum += extent.maximum;
  return sum;
}

// Least, mean and most, each a step lower than the one before.
std::string draw_stairs(const Extent& extent, double x, double y, double pixels_per_tick,
                        const Colour& colour) {
  const auto least = pixels_per_tick * static_cast<double>(extent.minimum),
             mean = pixels_per_tick * extent.mean,
             most = pixels_per_tick * static_cast<double>(extent.maximum);
  const auto path = fmt::format(
      "{}v{}h{}v{}h{}v{}h{}v{}z", move_to(x, y + bar_height), write_length(-bar_height),
      write_length(least), write_length(bar_height / 3), write_length(mean - least),
      write_length(bar_height / 3), write_length(most - mean), write_length(bar_height / 3));
  return draw_path(path, fmt::format(" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.5\"",
                                     write_colour(colour)));
}

// Where the members are among all processes.
std::string draw_strip(const Plan& plan, const std::vector<std::size_t>& members, const Box& box) {
  const auto pixel = box.width / static_cast<double>(plan.processes.size());
  std::string path;
  for (std::size_t first = 0; first < members.size();) {
    auto end = first + 1;
    while (end < members.size() && members[end] == members[end - 1] + 1)
      ++end;
    const auto width = std::max(pixel * static_cast<double>(end - first), 0.5);
    path += fmt::format("{}v{}h{}v{}z",
                        move_to(box.x + pixel * static_cast<double>(members[first]), box.y),
                        write_length(box.height), write_length(width), write_length(-box.height));
    first = end;
  }
  return draw_path(path, " fill=\"#404040\"") + draw_rectangle(box, svg_style::grid);
}

// With so many functions.
TableRows make_rows(const Plan& plan, const ProfileReport& report, std::size_t bars,
                    std::size_t functions) {
  const auto& summary = *report.summary;
  TableRows rows{{"processes"}};
  for (std::size_t f = 0; f < functions; ++f)
    rows[0].push_back(
        shorten_name(name_function(plan, report, summary.functions[f]), longest_heading));
  rows[0].emplace_back("group");
  for (std::size_t g = 0; g < bars; ++g) {
    auto& row = rows.emplace_back();
    row.push_back(show_count(report.groups[g].processes));
    for (std::size_t f = 0; f < functions; ++f)
      row.push_back(write_extent(plan, summary.bars[g][f]));
    row.push_back(fmt::format("{} {}", report.groups[g].group, name_bar(plan, report.groups[g])));
  }
  return rows;
}

}  // namespace

std::string process_summary_table(const Plan& plan, const ProfileReport& report) {
  if (!report.summary || report.groups.size() < 2)
    return "";
  const auto shown = std::min(report.groups.size(), most_table_bars);
  auto functions = report.summary->functions.size();
  auto rows = make_rows(plan, report, shown, functions);
  while (functions > 1 && !fits_line(rows))
    rows = make_rows(plan, report, shown, --functions);
  auto out = "exclusive time of each group's processes: least/mean/most\n" +
             text_table(rows, {.left_columns = functions + 1});
  if (shown < report.groups.size())
    out += fmt::format("and {} more, which are not shown\n", report.groups.size() - shown);
  return out;
}

double measure_process_summary(const ProfileReport& report) {
  if (!report.summary)
    return 0;
  const auto lines = (report.summary->functions.size() + keys_in_line - 1) / keys_in_line;
  const auto more = report.groups.size() > count_drawn(report) ? 1 : 0;
  return bar_step * static_cast<double>(count_drawn(report) + more) + key_gap +
         key_step * static_cast<double>(lines);
}

std::string draw_process_summary(const Plan& plan, const ProfileReport& report, double x, double y,
                                 double width) {
  if (!report.summary)
    return "";
  const auto& [functions, bars] = *report.summary;
  std::uint64_t longest = 1;
  for (const auto& bar : bars)
    longest = std::max(longest, sum_maxima(bar));
  const auto pixels_per_tick = width / static_cast<double>(longest);

  std::string out;
  const auto add_text = [&](double at, const char* anchor, const std::string& text) {
    out += draw_text(at, y + bar_height - 5, anchor, text);
  };
  for (std::size_t g = 0; g < count_drawn(report); ++g) {
    const auto& group = report.groups[g];
    add_text(x - strip_width - 2 * strip_gap, "end",
             shorten(fmt::format("{}: {}× {}", group.group, group.processes, name_bar(plan, group)),
                     longest_bar_name));
    out += draw_strip(plan, list_members(plan, group),
                      {x - strip_width - strip_gap, y + 3, strip_width, bar_height - 6});
    auto left = x;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const auto& extent = bars[g][f];
      if (extent.maximum == 0)
        continue;
      out += "<g><title>" +
             escape_xml(fmt::format("{}: {}", name_function(plan, report, functions[f]),
                                    write_extent(plan, extent))) +
             "</title>\n" + draw_stairs(extent, left, y, pixels_per_tick, function_colours[f]) +
             "</g>\n";
      left += pixels_per_tick * static_cast<double>(extent.maximum);
    }
    y += bar_step;
  }
  if (const auto drawn = count_drawn(report); drawn < report.groups.size()) {
    add_text(x, "start",
             fmt::format("and {} more groups, which are not drawn", report.groups.size() - drawn));
    y += bar_step;
  }

  y += key_gap;
  const auto key_width = width / static_cast<double>(keys_in_line);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const auto left = x + key_width * static_cast<double>(f % keys_in_line),
               top = y + key_step * static_cast<double>(f / keys_in_line);
    out += draw_rectangle({left, top - key_swatch, key_swatch, key_swatch},
                          fmt::format(" fill=\"{}\"", write_colour(function_colours[f])));
    out += draw_text(left + key_swatch + 6, top, "start",
                     shorten_name(name_function(plan, report, functions[f]), longest_heading));
  }
  return out;
}

}  // namespace tracefold
