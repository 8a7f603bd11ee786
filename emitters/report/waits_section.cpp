#include "emitters/messages/waiting_formats.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_wait_rows = 12, most_sentences = 5, longest_late_list = 80;

std::string name_late_ones(const ReportWait& wait) {
  if (wait.late.empty())
    return "not known";
  const auto listed = show_list(fmt::format("{}", fmt::join(wait.late, ", ")), longest_late_list);
  return wait.late_is_spread ? "many, most for " + listed : listed;
}

std::string explain_wait(const ReportWait& wait) {
  if (!wait.correlation)
    return "there is no function that these spend less time in";
  constexpr double clear_chance = 0.05;
  const auto& of = *wait.correlation;
  const auto chance = of.chance < 1e-4   ? "below 0.0001"
                      : of.chance > 0.99 ? std::string("1")
                                         : fmt::format("{:.2g}", of.chance);
  const auto numbers = fmt::format("r\u00a0=\u00a0{:.2f}, chance\u00a0{}", of.r, chance);
  return of.chance > clear_chance
             ? fmt::format("no function stands out; the nearest is {} ({})", write_name(of.call),
                           numbers)
             : fmt::format("spend less time in {} ({})", write_name(of.call), numbers);
}

}  // namespace

std::string write_waits_section(const Report& report) {
  const auto& run = report.runs.front();
  std::string out = "<section id=\"waits\"><h2>Where it waits</h2>\n";
  if (!run.has_mpi)
    return out + write_unknown("No MPI was recorded: nothing is known of waiting.") +
           "</section>\n";
  if (report.waits.empty()) {
    const bool is_known = !run.ranks.empty() && run.ranks.front().waiting.has_value();
    return out +
           (is_known ? "<p>No rank waits for another one.</p>\n"
                     : write_unknown("How long ranks wait is not known.")) +
           "</section>\n";
  }

  // With fewer ranks any function fits.
  const bool explains = run.ranks.size() >= least_explained_ranks;
  std::vector<std::string> columns{"call",         "called by",  "#waiting", "#share of waiting",
                                   "#of the call", "most of it", "for whom"};
  if (explains)
    columns.emplace_back("ranks that wait longer");
  HtmlTable table(
      fmt::format(
          "Calls that wait longest in {}, over all ranks; for whom is of all waiting of that "
          "kind in the whole run",
          describe_part(run)),
      columns);
  double most = 0;
  for (const auto& wait : report.waits)
    most = std::max(most, wait.waiting.seconds);
  const auto shown = std::min(report.waits.size(), most_wait_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& wait = report.waits[k];
    std::vector<std::string> cells{
        write_name(wait.waiting.call.function),
        write_name(wait.waiting.call.caller),
        format_seconds(wait.waiting.seconds) + " " + draw_share(wait.waiting.seconds, 0, most),
        show_percent(wait.waiting.share),
        show_percent(wait.waiting.of_call),
        name_wait(wait.waiting.kind),
        name_late_ones(wait)};
    if (explains)
      cells.push_back(explain_wait(wait));
    table.add(std::move(cells),
              fmt::format(" data-wait=\"{}\" data-seconds=\"{:.9g}\"", k, wait.waiting.seconds));
  }
  out += table.write() + describe_rest(shown, report.waits.size(), "calls");

  if (explains)
    out +=
        "<p>The last column compares how long each rank waits with its time in each function. r is "
        "Pearson's coefficient; the chance says how often one of the functions has as large an r "
        "by luck. It is over all ranks, and cannot tell what a single late rank does.</p>\n";
  else
    out += write_unknown(fmt::format(
        "With fewer than {} ranks, it cannot be told which function ranks that wait longer spend "
        "less time in.",
        least_explained_ranks));
  if (!run.causes)
    return out + write_unknown("What made processes late is not known.") + "</section>\n";
  std::string sentences;
  for (const auto& sentence :
       describe_waiting(*run.causes, most_sentences, run.least_told_waiting()))
    sentences += "<li>" + escape_html(begin_with_capital(sentence)) + ".</li>\n";
  if (!sentences.empty())
    out += "<p>In the whole run:</p>\n<ul class=\"causes\">\n" + sentences + "</ul>\n";
  return out + "</section>\n";
}

}  // namespace tracefold
