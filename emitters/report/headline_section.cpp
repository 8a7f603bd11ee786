#include "emitters/report/page_sections.hpp"

#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

// Whether the matrix has this metric.
bool has_matrix(const Report& report, const char* name) {
  if (!report.matrix)
    return false;
  const auto& metrics = report.matrix->metrics;
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const ReportMatrix::Metric& one) { return one.metric == name; });
}

// Whom processes wait for is seen in the matrix where that is because of messages.
bool is_waiting_for_messages(const Finding& found) {
  return found.loss == Loss::serialisation &&
         (found.culprit == Culprit::sender || found.culprit == Culprit::receiver ||
          found.culprit == Culprit::chain || found.wait == Metric::mpi_late_sender_time ||
          found.wait == Metric::mpi_late_receiver_time);
}

// The group that all of them are in, where it tells anything: "&group=2".
std::string choose_group(const Report& report, const std::vector<std::size_t>& who) {
  if (who.empty() || report.groups.size() < 2)
    return {};
  const auto group = report.group_of[who.front()];
  const bool is_one = std::all_of(who.begin(), who.end(),
                                  [&](std::size_t p) { return report.group_of[p] == group; });
  const auto members = report.groups[group].members.size();
  return is_one && 2 * members <= report.group_of.size() ? fmt::format("&group={}", group)
                                                         : std::string();
}

// The first loop in whose map the finding is seen.
const ReportLoop* find_seen_loop(const Report& report) {
  const auto at = std::find_if(report.loops.begin(), report.loops.end(),
                               [](const auto& loop) { return !loop.finding_metric.empty(); });
  return at == report.loops.end() ? nullptr : &*at;
}

// A metric of maps, in a fragment.
std::string write_metric(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '+');
  return name;
}

std::string choose_function(const Report& report, const std::string& name) {
  const auto at = std::find_if(report.functions.begin(), report.functions.end(),
                               [&](const ReportFunction& one) { return one.name == name; });
  return at == report.functions.end() ? std::string()
                                      : fmt::format("&function={}", at - report.functions.begin());
}

// The one with most computation.
std::string choose_computation(const Report& report) {
  const auto at =
      std::find_if(report.functions.begin(), report.functions.end(),
                   [](const ReportFunction& one) { return one.kind == Paradigm::computation; });
  return at == report.functions.end() ? std::string()
                                      : fmt::format("&function={}", at - report.functions.begin());
}

}  // namespace

std::string choose_finding_view(const Report& report) {
  const auto& run = report.runs.front();
  const auto& found = run.finding;
  const bool has_maps = !report.loops.empty() && !report.loops.front().maps.empty();
  if (found.loss == Loss::none)
    return has_maps ? "#view=iterations&loop=0&metric=" + write_metric(map_computation) : "#tiles";

  if (is_waiting_for_messages(found) && has_matrix(report, "waiting"))
    return "#view=matrix&metric=waiting" + choose_group(report, found.who);
  if (const auto* loop = find_seen_loop(report))
    return fmt::format("#view=iterations&loop={}&metric={}&rows=rank&pool=largest{}",
                       loop - report.loops.data(), write_metric(loop->finding_metric),
                       choose_group(report, found.who));
  const bool is_of_messages = (found.loss == Loss::transfer || found.loss == Loss::communication) &&
                              found.paradigm == Paradigm::point_to_point;
  if (is_of_messages && has_matrix(report, "messages"))
    return "#view=matrix&metric=messages";
  if (const auto function = choose_function(report, found.call.function); !function.empty())
    return "#view=functions" + function + choose_group(report, found.who);
  if (found.loss == Loss::iterations && has_maps)
    return "#iterations";
  // Threads that do nothing are seen beside what the others compute.
  if (found.culprit == Culprit::idle_threads)
    if (const auto function = choose_computation(report); !function.empty())
      return "#view=functions" + function + choose_group(report, found.who);
  return found.loss == Loss::serialisation && !report.waits.empty() ? "#waits" : "#groups";
}

std::string write_page_headline(const Report& report) {
  const auto& run = report.runs.front();
  auto out = fmt::format("<header id=\"headline\"><h1>{}</h1>\n", write_name(report.name));
  const auto lines = write_headline(run);
  out += fmt::format("<p class=\"finding\"><a href=\"{}\">{}</a></p>\n",
                     escape_html(choose_finding_view(report)),
                     escape_html(begin_with_capital(lines.front())));
  for (std::size_t k = 1; k < lines.size(); ++k)
    out += fmt::format("<p class=\"waiting\">{}</p>\n", escape_html(begin_with_capital(lines[k])));
  out += fmt::format("<p class=\"run\">{}</p>\n", escape_html(describe_size(run, " takes ") + "."));
  return out + fmt::format("<p class=\"fold\">{}</p></header>\n", describe_fold(report));
}

}  // namespace tracefold
