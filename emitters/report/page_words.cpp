#include "emitters/report/page_words.hpp"

#include "base/text.hpp"
#include "emitters/report/html.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"
#include "emitters/svg.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tracefold {

namespace {

constexpr double share_bar_width = 120, share_bar_height = 12;
constexpr std::size_t longest_list_title = 2000;

std::string begin_bar() {
  return fmt::format(
      "<svg class=\"bar\" aria-hidden=\"true\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">",
      share_bar_width, share_bar_height);
}

std::string draw_piece(const char* kind, double from, double to, double top, double height) {
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", kind,
                     write_length(from), write_length(top), write_length(std::max(to - from, 0.5)),
                     write_length(height));
}

// Where the item that is cut is longer than half of what is left, a part of it stays.
std::string cut_list(const std::string& list, std::size_t most) {
  auto out = shorten(list, most);
  if (out == list)
    return out;
  std::size_t end = 0;
  for (const std::string_view mark : {",", ";", " and "})
    if (const auto at = out.rfind(mark); at != out.npos)
      end = std::max(end, at);
  return 2 * end < out.size() ? out : out.substr(0, end) + ", …";
}

// Such items stay whole: browsers break a line behind the hyphen of "8-14".
bool has_short_items(std::string_view list) {
  constexpr std::size_t longest_item = 14;
  while (list.size() > longest_item) {
    const auto end = list.find(',');
    if (end > longest_item)
      return false;
    list.remove_prefix(end + 1);
  }
  return true;
}

std::string describe_loops(const ReportFold& fold) {
  std::uint64_t all = 0, kept = 0;
  for (const auto& loop : fold.loops) {
    all += loop.iterations;
    kept += loop.kept;
  }
  return all == 0 ? std::string()
                  : fmt::format(" and {} of {} iterations", show_count(kept), show_count(all));
}

}  // namespace

std::string begin_with_capital(std::string text) {
  if (!text.empty())
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

const char* rate_efficiency(double value) {
  switch (grade_efficiency(value)) {
    case EfficiencyGrade::good: return "good";
    case EfficiencyGrade::fair: return "fair";
    default: return "poor";
  }
}

std::string describe_fold(const Report& report) {
  if (!report.fold)
    return "This is the whole trace: nothing of it was left out.";
  const auto& fold = *report.fold;
  auto out = fmt::format("Of the {} processes, {} {} kept{}", show_count(fold.processes),
                         show_count(fold.kept_processes), fold.kept_processes == 1 ? "is" : "are",
                         describe_loops(fold));
  if (!fold.errors)
    return out + "; what that costs was not measured.";
  const auto& errors = *fold.errors;
  out += fmt::format("; computation differs by {} of all time over processes ({})",
                     format_percent(errors.of_processes.useful), to_text(grade_rows(errors)));
  if (errors.of_iterations)
    out += fmt::format(", by {} over iterations ({})", format_percent(errors.of_iterations->useful),
                       to_text(grade_iterations(errors)));
  return out + ". This page is of all processes.";
}

std::string name_report_process(const Report& report, std::size_t process) {
  return name_process(report.runs.front().processes[process]);
}

std::string describe_function_part(const Report& report) {
  return report.functions_are_around ? "the run between MPI_Init and MPI_Finalize"
                                     : describe_part(report.runs.front());
}

const char* choose_style(Paradigm paradigm) {
  switch (paradigm) {
    case Paradigm::computation: return "computation";
    case Paradigm::io: return "io";
    case Paradigm::openmp: return "runtime";
    case Paradigm::accelerator: return "accelerator";
    case Paradigm::measurement: return "measurement";
    default: return "mpi";
  }
}

std::string write_unknown(const std::string& sentence) {
  return "<p class=\"unknown\">" + escape_html(sentence) + "</p>\n";
}

std::string draw_range(const ReportRange& range, double most) {
  if (!(most > 0))
    return {};
  const auto scale = share_bar_width / most;
  return begin_bar() + draw_piece("range", range.least * scale, range.most * scale, 2, 8) +
         draw_piece("mean", range.mean * scale - 1, range.mean * scale + 1, 0, share_bar_height) +
         "</svg>";
}

std::string draw_share(double length, double part, double most) {
  if (!(most > 0))
    return {};
  const auto scale = share_bar_width / most;
  auto out = begin_bar() + draw_piece("whole", 0, length * scale, 2, 8);
  if (part > 0)
    out += draw_piece("part", 0, part * scale, 2, 8);
  return out + "</svg>";
}

std::string show_list(const std::string& list, std::size_t most) {
  const auto shown = cut_list(list, most);
  const auto* kind = has_short_items(shown) ? "list short" : "list";
  auto out = shown == list ? fmt::format("<span class=\"{}\">", kind)
                           : fmt::format("<span class=\"{}\" title=\"{}\">", kind,
                                         escape_html(cut_list(list, longest_list_title)));
  for (const char c : escape_html(shown))
    out += c == ',' ? std::string(",<wbr>") : std::string(1, c);
  return out + "</span>";
}

std::string describe_rest(std::size_t shown, std::size_t all, const std::string& what) {
  return shown >= all ? std::string()
                      : fmt::format("<p class=\"rest\">{} {} more are not in this table.</p>\n",
                                    show_count(all - shown), escape_html(what));
}

}  // namespace tracefold
