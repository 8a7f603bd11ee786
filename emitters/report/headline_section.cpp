#include "emitters/report/page_sections.hpp"

#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tracefold {

namespace {

// Bytes of a sentence that a phone shows in four lines of large letters.
constexpr std::size_t longest_large_headline = 150;

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

// "20 November 2026, 23:50 UTC"
std::string show_date(std::uint64_t seconds) {
  constexpr const char* months[] = {"January",   "February", "March",    "April",
                                    "May",       "June",     "July",     "August",
                                    "September", "October",  "November", "December"};
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{} {} {}, {:02}:{:02} UTC", static_cast<unsigned>(date.day()),
                     months[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                     clock.hours().count(), clock.minutes().count());
}

// What kind of run it is: a list of numbers with a word each.
std::string write_facts(const Report& report) {
  const auto& run = report.runs.front();
  std::string out;
  const auto add = [&](const std::string& value, const std::string& words) {
    out += fmt::format("<li><b>{}</b> {}</li>", value, escape_html(words));
  };
  const auto count = [&](std::size_t many, const char* one, const char* several) {
    add(show_count(many), many == 1 ? one : several);
  };
  if (run.ranks.empty())
    count(run.processes.size(), "location without calls", "locations without calls");
  else if (run.has_ranks)
    count(run.ranks.size(), "rank", "ranks");
  else
    count(run.ranks.size(), "process", "processes");
  if (run.threads > run.ranks.size())
    count(run.threads, "thread", "threads");
  if (run.streams > 0)
    count(run.streams, "accelerator stream", "accelerator streams");
  if (report.nodes > 0)
    count(report.nodes, "node", "nodes");
  if (report.whole_run > 0 && run.part != RunPart::run)
    add(format_seconds(report.whole_run), "in all");
  add(format_seconds(run.runtime),
      run.rank_loops.empty() ? describe_part(run) : describe_rank_loops(run));
  if (run.iterations > 0 && run.rank_loops.empty())
    count(run.iterations, "iteration", "iterations");
  if (run.loop_share && *run.loop_share < 0.9)
    add(show_percent(*run.loop_share), "of the time between MPI_Init and MPI_Finalize");
  if (report.begun)
    out += fmt::format("<li>{}</li>", show_date(*report.begun));
  return "<ul class=\"facts\">" + out + "</ul>\n";
}

}  // namespace

std::string choose_finding_view(const Report& report) {
  const auto& run = report.runs.front();
  const auto& found = run.finding;
  const bool has_maps = !report.loops.empty() && !report.loops.front().maps.empty();
  if (found.loss == Loss::none)
    return has_maps ? "#view=iterations&loop=0&metric=" + write_metric(map_computation)
                    : "#overview";

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
  const auto finding = begin_with_capital(write_headline(report.runs.front()).front());
  return fmt::format(
      "<header id=\"headline\"{}><h1>{}</h1>\n{}<p class=\"finding\"><a href=\"{}\">{}</a></p>\n"
      "</header>\n",
      finding.size() > longest_large_headline ? " class=\"long\"" : "", write_name(report.name),
      write_facts(report), escape_html(choose_finding_view(report)), escape_html(finding));
}

}  // namespace tracefold
