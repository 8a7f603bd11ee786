#include "emitters/groups/reason_formats.hpp"
#include "emitters/layout.hpp"
#include "emitters/messages/skeleton_formats.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_group_rows = 200;
constexpr std::size_t longest_list = 60, longest_reason = 200;
constexpr SkeletonLimits most_on_page{16, 60, 4};

// "least / mean / most" with a bar.
std::string show_range(const std::optional<ReportRange>& range, double most) {
  if (!range)
    return "not known";
  return fmt::format(
      "<span class=\"range\" data-least=\"{:.9g}\" data-mean=\"{:.9g}\" data-most=\"{:.9g}\">"
      "{} / {} / {}</span> {}",
      range->least, range->mean, range->most, format_seconds(range->least),
      format_seconds(range->mean), format_seconds(range->most), draw_range(*range, most));
}

// What hosts do next to streams is not all computation: they wait for these, too.
std::string name_computation(const Summary& run) {
  const std::string measure = ": least / mean / most";
  if (run.streams == 0)
    return "#computation" + measure;
  if (!run.has_mpi && !run.has_openmp)
    return "#in calls" + measure;

  return fmt::format("#outside of {}{}{}{}", run.has_mpi ? "MPI" : "",
                     run.has_mpi && run.has_openmp ? " and " : "", run.has_openmp ? "OpenMP" : "",
                     measure);
}

// As `group --skeleton` prints it.
std::string write_communication(const Report& report) {
  if (!report.clusters || report.clusters->skeletons.empty())
    return {};

  TextLayout as_printed;
  as_printed.is_wide = false;  // names are short
  const TextLayoutScope scope(as_printed);
  const auto texts =
      write_skeletons(*report.clusters->plan, report.clusters->skeletons, most_on_page);
  std::string out =
      "<div class=\"programs\"><h3>What they communicate</h3>\n<p>Here a group is of ranks that "
      "communicate alike, and stands as a program.</p>\n";
  for (const auto& [title, program] : texts.groups)
    out +=
        fmt::format("<details class=\"skeleton\"{}><summary>{}</summary><pre>{}</pre></details>\n",
                    &title == &texts.groups.front().title ? " open" : "", escape_html(title),
                    escape_lines(program));
  out += "<p class=\"key\">" + escape_lines(texts.key) + "</p>\n";
  return out + describe_rest(texts.groups.size(), texts.groups.size() + texts.left_out, "groups") +
         "</div>\n";
}

}  // namespace

std::string write_groups_section(const Report& report) {
  std::string out = "<section id=\"groups\"><h2>Groups</h2>\n";
  if (report.groups.empty())
    return out + write_unknown("No processes were recorded.") + "</section>\n";

  Plan plan;
  plan.processes = report.runs.front().processes;
  double most_computation = 0, most_waiting = 0;
  for (const auto& group : report.groups) {
    if (group.computation)
      most_computation = std::max(most_computation, group.computation->most);
    if (group.waiting)
      most_waiting = std::max(most_waiting, group.waiting->most);
  }

  const bool has_ranks = report.runs.front().has_ranks;
  HtmlTable table(
      fmt::format("Processes that do the same work; times are of {}",
                  describe_part(report.runs.front())),
      {"group", "#processes", has_ranks ? "ranks" : "which", "why it is apart", "representative",
       name_computation(report.runs.front()), "#waiting: least / mean / most"});
  const auto shown = std::min(report.groups.size(), most_group_rows);
  for (std::size_t g = 0; g < shown; ++g) {
    const auto& group = report.groups[g];
    const auto reason = group.reason.fewest.empty() ? "" : describe_reason(group.reason);
    const auto list = [&](const std::vector<std::size_t>& who) {
      return who.empty() ? std::string() : show_list(list_places(plan, who), longest_list);
    };
    table.add(
        {write_name(group.name), show_count(group.members.size()), list(group.members),
         reason.empty() ? "" : show_list(reason, longest_reason), list(group.representatives),
         show_range(group.computation, most_computation), show_range(group.waiting, most_waiting)},
        fmt::format(" data-group=\"{}\" tabindex=\"0\"", g));
  }
  out += table.write() + describe_rest(shown, report.groups.size(), "groups");
  if (report.grid)
    out += "<div class=\"view\" data-view=\"grid\"></div>\n";
  return out + write_communication(report) + "</section>\n";
}

}  // namespace tracefold
