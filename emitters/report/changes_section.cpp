#include "emitters/comparison/comparison_formats.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_changed_functions = 15;

std::string describe_side(const char* letter, const ComparedSide& side) {
  return fmt::format("<p>{}: {}, {} process{}, {} in all{}.</p>\n", letter, write_name(side.name),
                     show_count(side.processes), side.processes == 1 ? "" : "es",
                     format_seconds(side.time),
                     side.is_kept_only ? ", of the kept processes only" : "");
}

std::string show_change_of(const DifferenceRow& row) {
  const auto& time = row.get(Measure::time);
  if (!row.is_in_a || (time.a == 0 && time.b > 0))
    return "new";
  if (!row.is_in_b)
    return "gone";
  return time.a == 0 ? std::string() : escape_html(show_growth(time.a, time.b));
}

}  // namespace

std::string write_changes_section(const Report& report) {
  if (!report.changes)
    return {};
  const auto& changes = *report.changes;
  auto out =
      fmt::format("<section id=\"changes\"><h2>What changed</h2>\n<p class=\"finding\">{}</p>\n",
                  escape_html(changes.headline));
  for (const auto& finding : changes.findings)
    out += "<p>Also: " + escape_html(finding) + "</p>\n";
  out += describe_side("A", changes.a) + describe_side("B", changes.b);
  if (!changes.knows_spread)
    out += fmt::format("<p>Too few processes tell a spread: {:.0f} % count as noise.</p>\n",
                       100 * changes.noise);

  HtmlTable table("Time of functions, mean over processes; * is beyond the spread",
                  {"function", "#A", "#B", "#difference", "#change", "#spread", ""});
  const auto shown = std::min(changes.functions.size(), most_changed_functions);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& row = changes.functions[k];
    const auto& time = row.get(Measure::time);
    const auto difference = time.b - time.a;
    table.add({write_name(row.name) +
                   (row.name_in_b.empty() ? "" : " (B: " + write_name(row.name_in_b) + ")"),
               format_seconds(time.a), format_seconds(time.b),
               difference == 0 ? "="
                               : (difference > 0 ? "+" : "-") +
                                     format_seconds(difference > 0 ? difference : -difference),
               show_change_of(row), format_seconds(time.spread), time.is_beyond ? "*" : ""},
              fmt::format(" data-difference=\"{:.9g}\"", difference));
  }
  return out + table.write() + describe_rest(shown, changes.functions.size(), "functions") +
         "</section>\n";
}

}  // namespace tracefold
