#include "emitters/report/page_sections.hpp"

#include "base/text.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_wait_rows = 12, most_sentences = 5, longest_late_list = 80;

std::string explain_wait(const ReportWait& wait) {
  if (!wait.correlation)
    return {};
  constexpr double clear_chance = 0.05;
  const auto& of = *wait.correlation;
  const auto chance = of.chance < 1e-4 ? "&lt; 0.0001" : fmt::format("{:.2g}", of.chance);
  if (of.chance > clear_chance)
    return fmt::format("no function does clearly (r = {:.2f} of {}, by chance {})", of.r,
                       write_name(of.call), chance);
  return fmt::format("Ranks wait the longer, the less they are in {} (r = {:.2f}, by chance {})",
                     write_name(of.call), of.r, chance);
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

  HtmlTable table(
      "Calls that wait longest, over all ranks; for whom is of all waiting of that kind",
      {"call", "called by", "#waiting", "#share of waiting", "#of the call", "most of it",
       "for whom", "what explains it"});
  double most = 0;
  for (const auto& wait : report.waits)
    most = std::max(most, wait.waiting.seconds);
  const auto shown = std::min(report.waits.size(), most_wait_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& wait = report.waits[k];
    const auto late = fmt::format("{}", fmt::join(wait.late, ", "));
    table.add(
        {write_name(wait.waiting.call.function), write_name(wait.waiting.call.caller),
         format_seconds(wait.waiting.seconds) + " " + draw_share(wait.waiting.seconds, 0, most),
         show_percent(wait.waiting.share), show_percent(wait.waiting.of_call),
         name_wait(wait.waiting.kind), escape_html(shorten(late, longest_late_list)),
         explain_wait(wait)},
        fmt::format(" data-seconds=\"{:.9g}\"", wait.waiting.seconds));
  }
  out += table.write() + tell_rest(shown, report.waits.size(), "calls");

  if (!run.causes)
    return out + write_unknown("What made processes late is not known.") + "</section>\n";
  std::string sentences;
  for (const auto& sentence : describe_waiting(*run.causes, most_sentences))
    sentences += "<li>" + escape_html(begin_with_capital(sentence)) + ".</li>\n";
  if (!sentences.empty())
    out += "<p>In the whole run:</p>\n<ul class=\"causes\">\n" + sentences + "</ul>\n";
  return out + "</section>\n";
}

}  // namespace tracefold
