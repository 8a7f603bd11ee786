#include "base/ranges.hpp"
#include "base/text.hpp"
#include "emitters/iterations/kinds_drawing.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "model/chosen_iterations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace tracefold {

namespace {

constexpr std::size_t longest_kept_list = 60;

// Over columns: the least of the least values, the mean of the means, and the most. The last column
// may have fewer iterations, and counts as many.
std::optional<ReportRange> sum_up(const PooledMap& map, std::uint64_t iterations) {
  ReportRange out;
  std::uint64_t known = 0;
  for (std::size_t c = 0; c < map.columns; ++c) {
    const auto before = c * map.per_column;
    if (!std::isfinite(map.mean[c]) || before >= iterations)
      continue;
    const auto count = std::min<std::uint64_t>(map.per_column, iterations - before);
    out.least = known == 0 ? map.minimum[c] : std::min<double>(out.least, map.minimum[c]);
    out.most = known == 0 ? map.maximum[c] : std::max<double>(out.most, map.maximum[c]);
    out.mean += static_cast<double>(map.mean[c]) * static_cast<double>(count);
    known += count;
  }
  if (known == 0)
    return std::nullopt;
  out.mean /= static_cast<double>(known);
  return out;
}

std::string show_value(const std::string& unit, double value) {
  if (unit == "s")
    return format_seconds(value);
  if (unit == "B")
    return format_bytes(static_cast<std::uint64_t>(std::llround(std::max(value, 0.0))));
  return fmt::format("{:.4g}", value);
}

// From 0 on, as other commands take them.
std::string list_kept(const ReportLoop& loop) {
  std::vector<std::uint64_t> numbers;
  for (const auto iteration : loop.kept)
    numbers.push_back(find_iteration_number(loop.numbers, iteration));
  return shorten(to_ranges(numbers), longest_kept_list);
}

}  // namespace

std::string write_iterations_section(const Report& report) {
  std::string out = "<section id=\"iterations\"><h2>Iterations</h2>\n";
  if (report.loops.empty())
    return out +
           write_unknown(
               fmt::format("No loop was found: this page is of the whole run{}.",
                           report.runs.front().has_mpi ? ", without its start and its end" : "")) +
           "</section>\n";
  if (!report.has_iterations)
    return out + write_unknown("What single iterations did was not kept.") + "</section>\n";

  out += "<div class=\"view\" data-view=\"iterations\"></div>\n";
  HtmlTable table("Iterations of all processes",
                  {"loop", "#iterations", "what", "#least", "#mean", "#most"});
  for (std::size_t k = 0; k < report.loops.size(); ++k) {
    const auto& loop = report.loops[k];
    for (const auto& map : loop.maps) {
      const auto range = sum_up(map, loop.iterations);
      const auto show = [&](double ReportRange::*value) {
        return range ? show_value(map.unit, *range.*value) : std::string("not known");
      };
      table.add({write_name(loop.name), show_count(loop.iterations), escape_html(map.label),
                 show(&ReportRange::least), show(&ReportRange::mean), show(&ReportRange::most)},
                fmt::format(" data-loop=\"{}\" data-metric=\"{}\"", k, escape_html(map.metric)));
    }
  }
  for (std::size_t k = 0; k < report.loops.size(); ++k)
    if (const auto& kinds = report.loops[k].kinds)
      out += fmt::format("<figure class=\"by-kind scroll\" data-kinds=\"{}\">{}</figure>\n", k,
                         make_lines_visible(kinds_to_svg(*report.plan, kinds->kinds, kinds->map)));
  out += table.write();
  if (report.leaves_out_loops)
    out += fmt::format("<p class=\"rest\">There are more loops than these {}.</p>\n",
                       show_count(report.loops.size()));
  for (const auto& loop : report.loops)
    if (!loop.kept.empty())
      out += fmt::format("<p class=\"kept\">Of {}, {} of {} iterations are kept: {}.</p>\n",
                         write_name(loop.name), show_count(loop.kept.size()),
                         show_count(loop.iterations), list_kept(loop));
  return out + "</section>\n";
}

}  // namespace tracefold
