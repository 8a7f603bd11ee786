#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/report/rank_chart.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"
#include "model/summary/related_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_top_functions = 5;

// What an efficiency is, in a sentence.
std::string_view explain_efficiency(std::string_view key) {
  constexpr std::pair<std::string_view, std::string_view> sentences[] = {
      {"hybrid", "The share of the time of all threads in which they compute."},
      {"parallel", "The share of the time of all ranks in which they compute."},
      {"load_balance",
       "How evenly ranks compute: their mean computation, divided by that of the rank that "
       "computes "
       "longest."},
      {"communication",
       "The share of the time in which the rank that computes longest computes: MPI takes the "
       "rest."},
      {"serialisation",
       "What this would be on a network that takes no time: ranks still wait for each other."},
      {"transfer", "The share of the time that is not lost to MPI's own work and the network."},
      {"io", "Of the time without communication: the share that does not read or write files."},
      {"measurement",
       "The share of the time in which not all ranks write the buffers of the measurement."},
      {"openmp",
       "The share of the time of threads in which they compute, while their process neither "
       "communicates nor reads or writes files."},
      {"accelerator", "The share of the time in which streams of accelerators run kernels."}};
  for (const auto& [of, sentence] : sentences)
    if (of == key)
      return sentence;
  return {};
}

std::string write_efficiency(const EfficiencyRow& row, const char* sign) {
  const auto& value = row.of_runs.front();
  const auto* word = value ? rate_efficiency(*value) : "unknown";
  auto out = fmt::format(
      "<div class=\"efficiency {0}\" data-efficiency=\"{1}\" tabindex=\"0\">"
      "<span class=\"name\"><span class=\"sign\">{2}</span>{3}</span>",
      word, row.key, sign, row.name);
  out += value ? fmt::format(
                     "<span class=\"value\" data-value=\"{:.9g}\">{}</span> "
                     "<span class=\"word\">({})</span>{}",
                     *value, show_percent(*value), word, draw_share(*value, 0, 1))
               : std::string("<span class=\"value\">not known</span>");
  return out + fmt::format("<span class=\"about\" role=\"tooltip\">{}</span></div>",
                           explain_efficiency(row.key));
}

// Those from `at` on that are below the same one, each with what it is the product of.
std::string write_branch(const std::vector<EfficiencyRow>& rows, std::size_t& at) {
  const auto level = rows[at].level;
  std::string out = "<ul>";
  for (bool is_first = true; at < rows.size() && rows[at].level >= level; is_first = false) {
    const auto& row = rows[at++];
    out += "<li>" + write_efficiency(row, level == 0 ? "" : is_first ? "= " : "× ");
    if (at < rows.size() && rows[at].level > level)
      out += write_branch(rows, at);
    out += "</li>\n";
  }
  return out + "</ul>";
}

std::string write_efficiency_tree(const Summary& run) {
  auto rows = list_efficiencies({run});
  if (rows.empty())
    return {};
  if (run.efficiencies.hybrid)
    for (auto& row : rows)
      if (const std::string_view key = row.key; key != "hybrid" && key != "accelerator")
        ++row.level;
  std::size_t at = 0;
  return "<div class=\"efficiencies\">" + write_branch(rows, at) + "</div>\n";
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

std::string write_top_functions(const Report& report) {
  HtmlTable table(fmt::format("Functions with most time in {}, without what they call",
                              describe_function_part(report)),
                  {"function", "#time of all", "#share"});
  const auto shown = std::min(report.functions.size(), most_top_functions);
  for (std::size_t f = 0; f < shown; ++f) {
    const auto& function = report.functions[f];
    table.add({fmt::format("<a href=\"#view=functions&amp;function={}\">{}</a>", f,
                           write_name(function.name)),
               fmt::format("{} <span class=\"{}\">{}</span>", format_seconds(function.seconds),
                           choose_style(function.kind),
                           draw_share(function.seconds, 0, report.functions.front().seconds)),
               function.share ? show_percent(*function.share) : ""});
  }
  return table.is_empty() ? std::string() : "<div class=\"top\">" + table.write() + "</div>\n";
}

// What the pictures beside it cannot say.
std::string write_sentences(const Report& report) {
  const auto& run = report.runs.front();
  std::string out;
  if (run.finding_is_around)
    out += write_around(run);
  if (!run.has_mpi)
    out += write_unknown("No MPI was recorded: its efficiencies are not known.");
  else if (!run.efficiencies.transfer)
    out += write_unknown(
        "How long ranks wait is not known, and so neither serialisation nor transfer.");
  const auto lines = write_headline(run);
  for (std::size_t k = 1; k < lines.size(); ++k)
    out += fmt::format("<p class=\"waiting\">{}</p>\n", escape_html(begin_with_capital(lines[k])));
  return out + fmt::format("<p class=\"fold\">{}</p>\n", describe_fold(report));
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
                                          "<small>({0})</small></span>",
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

std::string write_overview_section(const Report& report) {
  const auto& run = report.runs.front();
  auto out = std::string("<section id=\"overview\"><h2 class=\"unseen\">Overview</h2>\n") +
             "<div class=\"pictures\">\n" + write_rank_chart(report) + "<div class=\"beside\">\n";
  if (const auto tree = write_efficiency_tree(run); !tree.empty())
    out += fmt::format("<h3>Efficiency in {}</h3>\n", escape_html(describe_part(run))) + tree;
  out += "</div>\n" + write_top_functions(report) + "<div class=\"words\">" +
         write_sentences(report) + "</div>\n</div>\n";
  if (report.runs.size() > 1)
    out += write_runs(report);
  return out + "</section>\n";
}

}  // namespace tracefold
