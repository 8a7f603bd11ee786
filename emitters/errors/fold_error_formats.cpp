#include "emitters/errors/fold_error_formats.hpp"

#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr const char* unknown = "unknown";

// A share in percent, in few characters.
std::string show_share(double share) {
  const auto percent = 100 * share;
  if (percent == 0)
    return "0";
  if (percent < 0.01)
    return "<0.01";
  return percent < 10 ? fmt::format("{:.2g}", percent) : fmt::format("{:.1f}", percent);
}

std::string show_with_share(const std::optional<TimeError>& error) {
  if (!error)
    return unknown;
  return fmt::format("{} ({}) %", show_share(error->of_own), show_share(error->of_all));
}

std::vector<std::string> make_error_row(const char* of, const FoldError& error) {
  return {of,
          show_fold_error(error.all),
          show_fold_error(error.useful),
          show_with_share(error.computation),
          show_with_share(error.communication),
          show_with_share(error.waiting)};
}

// "waiting by 13.6 % of all time, communication by 11.5 %": what no choice of rows could show,
// where it is more than 1 %.
std::string list_other_differences(const FoldError& error) {
  std::vector<std::pair<const char*, double>> kinds;
  if (error.waiting)
    kinds.emplace_back("waiting", error.waiting->of_all);
  kinds.emplace_back(error.waiting ? "communication" : "communication and waiting",
                     error.communication.of_all);
  kinds.emplace_back("OpenMP, files or waits for accelerators",
                     error.computation.of_all - error.useful);
  std::erase_if(kinds, [](const auto& kind) { return kind.second <= largest_good_error; });
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [kind, share] : kinds)
    texts.push_back(fmt::format("{} by {}{}", kind, show_fold_error(share),
                                texts.empty() ? " of all time" : ""));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// "rank 5 (waiting), rank 9 (computation)".
std::string list_untypical_rows(const UntypicalRows& rows) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> texts;
  for (const auto& name : rows.in_useful)
    texts.push_back(name + " (computation)");
  for (const auto& name : rows.in_waiting)
    texts.push_back(name + " (waiting)");
  const auto all = texts.size();
  texts.resize(std::min(all, most_named));
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     all > most_named ? fmt::format(" and {} more", all - most_named) : "");
}

}  // namespace

std::string show_error_grade(ErrorGrade grade) {
  constexpr TextStyle styles[] = {TextStyle::good, TextStyle::fair, TextStyle::poor};
  return apply_style(to_text(grade), styles[static_cast<std::size_t>(grade)]);
}

QualityWords describe_rows(const FoldErrors& errors) {
  QualityWords out;
  out.verdict = fmt::format("rows are {}: ", show_error_grade(grade_rows(errors)));
  if (errors.of_processes.useful == 0)
    out.verdict += "all processes compute as long as their row";
  else
    out.verdict += fmt::format("computation differs by {} of all time",
                               show_fold_error(errors.of_processes.useful));
  if (const auto& hidden = errors.hidden)
    out.verdict += fmt::format(
        "; most in {}: {} of the run {} than its row{}", make_printable(hidden->process),
        show_fold_error(hidden->of_run), hidden->is_longer ? "more" : "less",
        hidden->function.empty() ? "" : ", in " + make_printable(hidden->function));
  if (const auto others = list_other_differences(errors.of_processes); !others.empty())
    out.others = "single processes also differ from their row in " + others;
  if (const auto rows = list_untypical_rows(errors.untypical); !rows.empty())
    out.untypical = "not like most of those they stand for: " + make_printable(rows);
  return out;
}

std::string show_fold_error(double share) {
  return show_share(share) + " %";
}

std::string fold_errors_table(const FoldErrors& errors) {
  std::vector<std::vector<std::string>> rows{
      {"error", "all time", "computing", "outside MPI", "communication", "waiting"}};
  rows.push_back(make_error_row("of processes", errors.of_processes));
  if (errors.of_iterations)
    rows.push_back(make_error_row("of iterations", *errors.of_iterations));

  auto out = text_table(rows);
  out += fmt::format("errors of {} process{}, without MPI_Init; in brackets: over all time\n",
                     show_count(errors.processes), errors.processes == 1 ? "" : "es");
  if (!errors.of_processes.waiting)
    out += "times of waiting are not known: communication is with them\n";
  if (const auto largest = describe_largest(errors.functions_of_processes); !largest.empty())
    out += fmt::format("processes differ most in {}\n", largest);
  if (errors.unmeasured > 0)
    out += fmt::format("{} process{} a different loop; the error of iterations leaves {} out\n",
                       show_count(errors.unmeasured), errors.unmeasured == 1 ? " has" : "es have",
                       errors.unmeasured == 1 ? "it" : "them");
  const auto words = describe_rows(errors);
  for (const auto* line : {&words.verdict, &words.others, &words.untypical})
    if (!line->empty())
      out += *line + "\n";

  return out;
}

std::string describe_largest(const std::vector<FunctionError>& functions) {
  if (functions.empty())
    return "";
  const auto& first = functions.front();
  return fmt::format("{} {} ({})", make_printable(first.function), format_percent(first.of_all),
                     to_text(first.kind));
}

std::vector<std::string> list_own_errors(const FoldError* error) {
  if (!error)
    return {unknown, unknown, unknown};
  return {format_percent(error->computation.of_own), format_percent(error->communication.of_own),
          error->waiting ? format_percent(error->waiting->of_own) : unknown};
}

namespace {

void add_csv_lines(const FoldError& error, const std::string& of, std::string& out) {
  const auto add = [&](const char* kind, double share) {
    out += fmt::format("error of {}: {},,,{:.9g}\r\n", of, kind, share);
  };
  add("all time", error.all);
  add("useful time", error.useful);
  add(to_text(TimeKind::computation), error.computation.of_own);
  add(to_text(TimeKind::communication), error.communication.of_own);
  if (error.waiting)
    add(to_text(TimeKind::waiting), error.waiting->of_own);
}

}  // namespace

std::string fold_errors_csv(const FoldErrors& errors) {
  std::string out;
  add_csv_lines(errors.of_processes, "processes", out);
  if (errors.of_iterations)
    add_csv_lines(*errors.of_iterations, "iterations", out);
  if (errors.of_loops.size() > 1)
    for (std::size_t k = 0; k < errors.of_loops.size(); ++k)
      add_csv_lines(errors.of_loops[k], fmt::format("iterations of loop {}", k + 1), out);
  return out;
}

}  // namespace tracefold
