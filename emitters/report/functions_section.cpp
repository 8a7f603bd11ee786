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
  const auto part = report.functions_are_around
                        ? std::string("the run between MPI_Init and MPI_Finalize")
                        : describe_part(run);
  HtmlTable table(
      fmt::format("Functions with most time in {}, without what they call", part),
      {"function", "kind", "#time of all", "#share", "#calls", "#largest by mean", "slowest"});
  for (std::size_t f = 0; f < report.functions.size(); ++f) {
    const auto& function = report.functions[f];
    const auto at = of_ranks.find(function.name);
    const auto* call = at == of_ranks.end() || report.functions_are_around ? nullptr : at->second;
    table.add({write_name(function.name), name_paradigm(function.kind),
               format_seconds(function.seconds) + " " + draw_share(function.seconds, 0, most),
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
         "</section>\n";
}

}  // namespace tracefold
