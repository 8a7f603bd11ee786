#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

std::string show_error(const std::optional<TimeError>& error) {
  return error
             ? fmt::format("{} ({})", format_percent(error->of_own), format_percent(error->of_all))
             : "not known";
}

void add_error(HtmlTable& table, const char* name, const FoldError& error) {
  table.add(
      {name, format_percent(error.all), format_percent(error.useful), show_error(error.computation),
       show_error(error.communication), show_error(error.waiting)},
      fmt::format(" data-error=\"{:.9g}\"", error.all));
}

std::string write_kept(const ReportFold& fold) {
  HtmlTable table("What is kept", {"what", "#of the original", "#kept"});
  table.add({"processes", show_count(fold.processes), show_count(fold.kept_processes)});
  for (const auto& loop : fold.loops)
    table.add({"iterations of " + write_name(loop.name), show_count(loop.iterations),
               show_count(loop.kept)});
  return table.write();
}

std::string write_errors(const ReportFold& fold) {
  if (!fold.errors)
    return write_unknown("How near the kept processes come to the others was not measured.");
  const auto& errors = *fold.errors;
  HtmlTable table(
      "What that costs: how far times are from those of what stands for them",
      {"over", "#of all time", "#computing", "#outside MPI", "#of communication", "#of waiting"});
  add_error(table, "processes", errors.of_processes);
  if (errors.of_iterations)
    add_error(table, "iterations", *errors.of_iterations);
  auto out = table.write() +
             "<p>Each error is over the time of its kind; in brackets over all time. MPI_Init is "
             "left out.</p>\n";
  if (!errors.of_processes.waiting)
    out += write_unknown("Times of waiting are not known: communication is with them.");
  if (const auto largest = describe_largest(errors.functions_of_processes); !largest.empty())
    out += fmt::format("<p>Processes differ most in {}.</p>\n", escape_html(largest));
  const auto words = describe_rows(errors);
  for (const auto& sentence : {words.verdict, words.others, words.untypical})
    if (!sentence.empty())
      out += "<p>" + escape_html(begin_with_capital(sentence)) + ".</p>\n";
  if (errors.unmeasured > 0)
    out += fmt::format(
        "<p>{} process{} a different loop; the error of iterations leaves {} out.</p>\n",
        show_count(errors.unmeasured), errors.unmeasured == 1 ? " has" : "es have",
        errors.unmeasured == 1 ? "it" : "them");
  return out;
}

std::string write_missing(const Report& report) {
  const auto& run = report.runs.front();
  std::string out;
  const auto add = [&](const std::string& sentence) {
    out += "<li>" + escape_html(sentence) + "</li>\n";
  };
  if (report.fold && !report.fold->keeps_messages)
    add("The messages of all ranks, so that the trace cannot be expanded again.");
  if (run.percent > 0)
    add(fmt::format("Times are exact to {} %.", run.percent));
  if (run.has_mpi && !run.efficiencies.transfer)
    add("How long ranks wait.");
  if (!report.has_iterations)
    add("What single iterations did.");
  return out.empty() ? std::string() : "<p>What is missing:</p>\n<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string write_fold_section(const Report& report) {
  std::string out = "<section id=\"fold\"><h2>Fold</h2>\n";
  if (report.fold)
    out += write_kept(*report.fold) + write_errors(*report.fold);
  else
    out += "<p>This is the whole trace: nothing of it was left out.</p>\n";
  out += write_missing(report);
  if (!report.remedy.empty())
    out += fmt::format("<p class=\"remedy\">{} <code>{}</code></p>\n",
                       report.fold ? "A more accurate one is made by" : "It is made small by",
                       escape_html(report.remedy));
  return out + "</section>\n";
}

}  // namespace tracefold
