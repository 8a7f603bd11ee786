#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

std::string describe_messages(const ReportTimeline& timeline) {
  const auto shown = timeline.messages.size();
  if (shown == 0)
    return {};
  return shown == timeline.all_messages
             ? fmt::format(", and the {} messages between them", show_count(shown))
             : fmt::format(
                   ", and {} of {} messages between them, those whose receives take longest",
                   show_count(shown), show_count(timeline.all_messages));
}

}  // namespace

std::string write_timeline_section(const Report& report) {
  std::string out = "<section id=\"timeline\"><h2>Timeline</h2>\n";
  if (!report.timeline)
    return out + write_unknown("What processes do over time is not known.") + "</section>\n";
  const auto& timeline = *report.timeline;
  const auto rows = timeline.rows.size();
  out += fmt::format(
      "<p class=\"key\">{} of the {} over {}: the function with most time at each place, without "
      "what it calls{}.</p>\n<div class=\"view\" data-view=\"timeline\"></div>\n",
      rows == 1 ? "The process" : fmt::format("The {} processes", show_count(rows)),
      report.fold ? "reduced trace" : "run that a reduced trace would keep",
      format_seconds(timeline.seconds), describe_messages(timeline));
  return out + "</section>\n";
}

}  // namespace tracefold
