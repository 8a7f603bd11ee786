#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"
#include "model/summary/related_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

std::string write_tile(const EfficiencyRow& row) {
  const auto& value = row.of_runs.front();
  if (!value)
    return fmt::format(
        "<div class=\"tile unknown\" data-efficiency=\"{}\"><span class=\"name\">{}</span>"
        "<span class=\"value\">not known</span></div>\n",
        row.key, row.name);
  const auto* word = rate_efficiency(*value);
  return fmt::format(
      "<div class=\"tile {0}\" data-efficiency=\"{1}\"><span class=\"name\">{2}</span>"
      "<span class=\"value\" data-value=\"{3:.9g}\">{4}</span>"
      "<span class=\"word\">{0}</span></div>\n",
      word, row.key, row.name, *value, show_percent(*value));
}

// The efficiencies of the part of the run that the first sentence is of.
std::string write_around(const Summary& run) {
  auto around = run;
  around.efficiencies = run.around;
  std::vector<std::string> values;
  for (const auto& row : list_efficiencies({around}))
    if (const auto& value = row.of_runs.front())
      values.push_back(fmt::format("{} {}", row.name, show_percent(*value)));
  return values.empty()
             ? std::string()
             : fmt::format(
                   "<p class=\"around\">The first sentence is about the time between MPI_Init and "
                   "MPI_Finalize. There: {}.</p>\n",
                   fmt::join(values, ", "));
}

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
    const bool is_of_streams = paradigm == Paradigm::accelerator && run.streams > 0;
    table.add({name_paradigm(paradigm), format_seconds(of.seconds),
               is_of_streams || run.time <= 0 ? "" : show_percent(of.seconds / run.time),
               of.waiting ? format_seconds(*of.waiting) : "",
               draw_share(of.seconds, of.waiting.value_or(0), most)},
              fmt::format(" data-seconds=\"{:.9g}\"", of.seconds));
  }
  return table.is_empty() ? std::string()
                          : "<div class=\"paradigms\">" + table.write() + "</div>\n";
}

// Runs beside each other, as a summary of several ones has them.
std::string write_runs(const Report& report) {
  std::vector<std::string> columns{"of the run"};
  for (const auto& run : report.runs) {
    columns.push_back("#" + name_run(run.trace));
  }
  HtmlTable table("Runs beside each other", columns);
  const auto add = [&](const std::string& name, const auto& show) {
    std::vector<std::string> cells{name};
    for (const auto& run : report.runs)
      cells.push_back(show(run));
    table.add(std::move(cells));
  };
  add("ranks", [](const Summary& run) { return show_count(run.ranks.size()); });
  add("threads", [](const Summary& run) { return show_count(run.threads); });
  add("iterations of the loop", [](const Summary& run) {
    return run.iterations > 0 ? show_count(run.iterations) : std::string("no loop");
  });
  add("time", [](const Summary& run) { return format_seconds(run.runtime); });
  add("computation, all threads",
      [](const Summary& run) { return format_seconds(sum_computation(run)); });
  for (const auto& row : list_efficiencies(report.runs)) {
    std::vector<std::string> cells{row.name};
    for (const auto& value : row.of_runs)
      cells.push_back(value ? fmt::format("<span class=\"{0}\" data-value=\"{1:.9g}\">{1:.3f} "
                                          "<small>{0}</small></span>",
                                          rate_efficiency(*value), *value)
                            : "not known");
    table.add(std::move(cells), fmt::format(" data-efficiency=\"{}\"", row.key));
  }
  auto out = "<div class=\"runs\">" + table.write();
  if (!are_related(report.runs))
    out += fmt::format("<p>{}</p>\n", unrelated_runs);
  for (std::size_t k = 1; k < report.runs.size(); ++k) {
    const auto& run = report.runs[k];
    out += fmt::format("<p>{}: {}</p>\n", write_name(name_run(run.trace)),
                       escape_html(write_headline(run).front()));
  }
  return out + "</div>\n";
}

}  // namespace

std::string write_tiles_section(const Report& report) {
  const auto& run = report.runs.front();
  auto out = fmt::format("<section id=\"tiles\"><h2>Efficiency<span> in {}</span></h2>\n",
                         escape_html(describe_part(run)));
  std::string tiles;
  for (const auto& row : list_efficiencies({run}))
    tiles += write_tile(row);
  if (!tiles.empty())
    out += "<div class=\"tiles\">\n" + tiles + "</div>\n";
  if (run.finding_is_around)
    out += write_around(run);
  if (!run.has_mpi)
    out += write_unknown("No MPI was recorded: its efficiencies are not known.");
  else if (!run.efficiencies.transfer)
    out += write_unknown(
        "How long ranks wait is not known, and so neither serialisation nor transfer.");
  out += write_paradigms(run);
  if (report.runs.size() > 1)
    out += write_runs(report);
  return out + "</section>\n";
}

}  // namespace tracefold
