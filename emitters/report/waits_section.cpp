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

std::string explain_wait(const std::optional<ReportCorrelation>& of) {
  if (!of)
    return {};
  const auto chance =
      of->chance < 1e-4 ? std::string("below 0.0001") : fmt::format("{:.2g}", of->chance);
  return fmt::format("spend less time in {} (r = {:.2f}, chance {})", write_name(of->call), of->r,
                     chance);
}

// For whom, by kind: it is not known of single calls.
std::string write_late(const std::vector<ReportLate>& late) {
  std::string out;
  for (const auto& [kind, names, is_spread] : late) {
    const auto listed = show_list(fmt::format("{}", fmt::join(names, ", ")), longest_late_list);
    out += fmt::format("<li>{}: {}</li>\n", name_wait(kind),
                       is_spread ? "for many, most for " + listed : "for " + listed);
  }
  return out.empty() ? out
                     : "<p>Whom processes wait for in the whole run, with the share of all waiting "
                       "of that kind:</p>\n<ul class=\"late\">\n" +
                           out + "</ul>\n";
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

  const auto shown = std::min(report.waits.size(), most_wait_rows);
  double most = 0;
  bool has_kinds = false, explains = false;
  for (std::size_t k = 0; k < shown; ++k) {
    most = std::max(most, report.waits[k].waiting.seconds);
    has_kinds |= report.waits[k].waiting.kind != report.waits.front().waiting.kind;
    explains |= report.waits[k].correlation.has_value();
  }
  HtmlTable table(
      fmt::format("Calls that wait longest in {}, over all ranks{}", describe_part(run),
                  has_kinds ? std::string()
                            : fmt::format(": {}", name_wait(report.waits.front().waiting.kind))),
      {"call", "called by", "#waiting", "#share of waiting", "#of the call", "most of it",
       "ranks that wait longer"});
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& wait = report.waits[k];
    const auto& caller = wait.waiting.call.caller;
    table.add(
        {write_name(wait.waiting.call.function), caller.empty() ? "" : write_name(caller),
         fmt::format("{} <span class=\"waiting\">{}</span>", format_seconds(wait.waiting.seconds),
                     draw_share(wait.waiting.seconds, 0, most)),
         show_percent(wait.waiting.share), show_percent(wait.waiting.of_call),
         has_kinds ? name_wait(wait.waiting.kind) : "", explain_wait(wait.correlation)},
        fmt::format(" data-wait=\"{}\" data-seconds=\"{:.9g}\"", k, wait.waiting.seconds));
  }
  out += table.write() + describe_rest(shown, report.waits.size(), "calls");
  if (explains)
    out +=
        "<p>The last column compares how long each rank waits with its time in each function. r is "
        "Pearson's coefficient; the chance says how often one of the functions has as large an r "
        "by luck. It is over all ranks, and cannot tell what a single late rank does.</p>\n";
  out += write_late(report.late);
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
