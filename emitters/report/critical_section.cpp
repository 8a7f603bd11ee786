#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/critical_path_formats.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_rows = 6;
constexpr double strip_width = 1000, strip_height = 160;  // in the units of the drawing

// A bar for each stay: from left to right over time, from the first rank at the top to the last.
std::string draw_stays(const Report& report, const Summary& run) {
  std::vector<std::size_t> masters;
  for (const auto& rank : run.ranks)
    masters.push_back(rank.master);
  const auto row = strip_height / static_cast<double>(std::max<std::size_t>(masters.size(), 1));
  const auto thick = std::max(row * 0.7, 3.0);
  auto out = fmt::format(
      "<svg class=\"path\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">",
      strip_width, strip_height);
  for (const auto& stay : list_stays(*run.critical)) {
    const auto at =
        stay.place < CriticalPath::first_process
            ? masters.end()
            : std::find(masters.begin(), masters.end(), stay.place - CriticalPath::first_process);
    if (at == masters.end())
      continue;
    const auto y = (static_cast<double>(at - masters.begin()) + 0.5) * row - thick / 2;
    out += fmt::format(
        "<rect x=\"{:.4g}\" y=\"{:.4g}\" width=\"{:.4g}\" height=\"{:.4g}\"><title>{}: {} to {}"
        "</title></rect>",
        strip_width * stay.from, y, strip_width * (stay.until - stay.from), thick,
        escape_html(name_report_process(report, *at)),
        format_seconds(stay.from * run.critical->seconds),
        format_seconds(stay.until * run.critical->seconds));
  }
  return out + "</svg>\n";
}

}  // namespace

std::string write_critical_section(const Report& report) {
  const auto& run = report.runs.front();
  if (!run.critical || run.critical->calls.empty())
    return {};
  auto out = fmt::format(
      "<section id=\"critical\"><h2>What the end waits for</h2>\n"
      "<p class=\"key\">The critical path through {}: one thing after the other, without which it "
      "would have ended earlier; {} of it is the network.</p>\n",
      escape_html(describe_part(run)),
      show_percent(run.critical->network / std::max(run.critical->seconds, 1e-9)));
  if (run.ranks.size() > 1 && !run.critical->over_time.empty())
    out += fmt::format(
        "<figure>{}<figcaption>Over time, {} at the top, {} at the bottom: {}"
        "</figcaption></figure>\n",
        draw_stays(report, run), escape_html(name_report_process(report, run.ranks.front().master)),
        escape_html(name_report_process(report, run.ranks.back().master)),
        escape_html(describe_critical_processes(run)));
  HtmlTable table("Calls on it", {"call", "#time", "#share", "#above average", "most of it on"});
  for (std::size_t k = 0; k < std::min(most_rows, run.critical->calls.size()); ++k) {
    const auto& call = run.critical->calls[k];
    table.add({write_name(call.function), format_seconds(call.seconds), show_percent(call.share),
               format_seconds(call.imbalance),
               call.share_of_most > 0.5
                   ? fmt::format("{}: {}", escape_html(name_report_process(report, call.most)),
                                 show_percent(call.share_of_most))
                   : std::string()});
  }
  return out + table.write() + "</section>\n";
}

}  // namespace tracefold
