#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tracefold {

namespace {

std::string write_paradigms(const Summary& run) {
  HtmlTable table(
      fmt::format("Time by paradigm, all threads together, in {}", escape_html(describe_part(run))),
      {"paradigm", "#time", "#share", "#of it waiting", ""});
  double most = 0;
  for (const auto& one : run.paradigms)
    most = std::max(most, one.seconds);
  for (std::size_t k = 0; k < paradigm_count; ++k) {
    const auto& of = run.paradigms[k];
    if (of.seconds <= 0)
      continue;
    const auto paradigm = static_cast<Paradigm>(k);
    table.add({name_paradigm(paradigm), format_seconds(of.seconds),
               run.time <= 0 ? "" : show_percent(of.seconds / run.time),
               of.waiting ? format_seconds(*of.waiting) : "",
               draw_share(of.seconds, of.waiting.value_or(0), most)},
              fmt::format(" data-seconds=\"{:.9g}\"", of.seconds));
  }
  return table.is_empty() ? std::string()
                          : "<div class=\"paradigms\">" + table.write() + "</div>\n";
}

}  // namespace

std::string write_functions_section(const Report& report) {
  const auto& run = report.runs.front();
  std::string out = "<section id=\"functions\"><h2>Functions</h2>\n";
  if (report.functions.empty())
    return out + write_unknown("No calls were recorded.") + "</section>\n";

  std::map<std::string_view, const CallTime*> of_ranks;
  for (const auto& call : run.calls)
    of_ranks.emplace(call.function, &call);
  double most = 0;
  for (const auto& function : report.functions)
    most = std::max(most, function.seconds);

  out += "<div class=\"view\" data-view=\"functions\"></div>\n";
  const auto part = describe_function_part(report);
  HtmlTable table(
      fmt::format("Functions with most time in {}, without what they call", part),
      {"function", "kind", "#time of all", "#share", "#calls", "#largest by mean", "slowest"});
  for (std::size_t f = 0; f < report.functions.size(); ++f) {
    const auto& function = report.functions[f];
    const auto at = of_ranks.find(function.name);
    const auto* call = at == of_ranks.end() || report.functions_are_around ? nullptr : at->second;
    const auto bar = draw_share(function.seconds, 0, most);
    table.add({write_name(function.name), name_paradigm(function.kind),
               fmt::format("{} <span class=\"{}\">{}</span>", format_seconds(function.seconds),
                           choose_style(function.kind), bar),
               function.share ? show_percent(*function.share) : "",
               show_count(static_cast<std::uint64_t>(std::llround(function.visits))),
               call && call->mean > 0 ? fmt::format("{:.2f}", call->most / call->mean) : "",
               call ? escape_html(name_report_process(report, call->slowest)) : ""},
              fmt::format(" data-function=\"{}\" data-seconds=\"{:.9g}\" tabindex=\"0\"", f,
                          function.seconds));
  }
  return out + table.write() +
         describe_rest(report.functions.size(), report.functions.size() + report.functions_left_out,
                       "functions") +
         write_paradigms(run) + "</section>\n";
}

}  // namespace tracefold
