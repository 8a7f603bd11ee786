#include "emitters/messages/waiting_formats.hpp"

#include "base/text.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr double least_chain = 0.25;       // of what is waited for late senders
constexpr double least_explained = 0.25;   // of what others wait for a process
constexpr double least_late_share = 0.05;  // of all waiting
constexpr std::size_t most_last = 3;       // processes of a line
constexpr std::size_t longest_waiting_name = 60;

std::string show_share_of(double part, double whole) {
  const auto percent = whole > 0 ? 100 * part / whole : 0;
  return fmt::format("{:.0f} %", percent > 99.5 && percent < 100 ? 99 : percent);
}

// Times of a reduced trace are exact to 1 %: what is half of the whole there may be a little more.
bool is_most_of(double part, double whole) {
  constexpr double error = 0.01;
  return 2 * (1 - error) * part > (1 + error) * whole;
}

const char* name_collectives(Metric metric) {
  switch (metric) {
    case Metric::mpi_wait_at_barrier_time: return "barriers";
    case Metric::mpi_wait_at_fence_time: return "fences";
    case Metric::mpi_wait_at_nxn_time: return "operations of all to all";
    case Metric::mpi_late_broadcast_time: return "operations of one to all";
    case Metric::mpi_early_reduce_time: return "operations of all to one";
    default: return "other operations";
  }
}

const char* name_kind(WaitingCause::Kind kind) {
  switch (kind) {
    case WaitingCause::Kind::computation: return "computation";
    case WaitingCause::Kind::other: return "other";
    case WaitingCause::Kind::measurement: return "measurement";
    default: return "unknown";
  }
}

std::string fit_printable(const std::string& name) {
  return fit_name(make_printable(name), longest_waiting_name);
}

std::string list_last(const LastInCollectives& of) {
  std::string out;
  for (std::size_t k = 0; k < std::min(most_last, of.last.size()); ++k)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", fit_printable(of.last[k].name),
                       format_seconds(of.last[k].seconds));
  if (of.last.size() > most_last)
    out += fmt::format(", {} more", show_count(of.last.size() - most_last));
  return out;
}

std::string show_collectives(const std::vector<LastInCollectives>& all) {
  TableRows rows{{"waiting in", "time", "for those that came last"}};
  for (const auto& of_kind : all)
    rows.push_back(
        {name_collectives(of_kind.metric), format_seconds(of_kind.seconds), list_last(of_kind)});
  return text_table(rows, {.left_columns = 1});
}

Json causes_to_json(const std::vector<WaitingCause>& causes) {
  auto out = Json::array();
  for (const auto& cause : causes)
    out.push_back({{"by", name_kind(cause.kind)},
                   {"function", cause.function},
                   {"caller", cause.caller},
                   {"seconds", cause.seconds}});
  return out;
}

Json sum_to_json(const WaitingReport::WaitTotal& sum, bool knows_delays) {
  Json out{{"seconds", sum.seconds}};
  if (knows_delays)
    out["passed_on_seconds"] = sum.passed_on;
  if (knows_delays)
    out["computing_seconds"] = sum.computing;
  return out;
}

}  // namespace

std::string describe_cause(const WaitingCause& cause) {
  if (cause.kind == WaitingCause::Kind::unknown)
    return "by what is not known";
  if (cause.kind == WaitingCause::Kind::measurement)
    return "while the measurement writes its buffer to a file";
  const auto* words = cause.kind == WaitingCause::Kind::computation ? "by computing in" : "in";
  auto out = fmt::format("{} {}", words, fit_printable(cause.function));
  if (!cause.caller.empty())
    out += fmt::format(" (called by {})", fit_printable(cause.caller));
  return out;
}

bool is_explained(const LateProcess& late) {
  return !late.causes.empty() && late.causes.front().seconds >= least_explained * late.seconds;
}

std::string describe_late_process(const LateProcess& late) {
  auto out = fmt::format("{} makes others wait {}", fit_printable(late.name),
                         format_seconds(late.seconds));
  if (!is_explained(late))
    return out;
  const auto& worst = late.causes.front();
  return out + fmt::format(", {} {}: {}",
                           is_most_of(worst.seconds, late.seconds) ? "mostly" : "most of all",
                           describe_cause(worst), show_share_of(worst.seconds, late.seconds));
}

std::string describe_chain(const WaitingReport& report) {
  const auto& sum = report.late_sender;
  if (!report.knows_delays || sum.passed_on < least_chain * sum.seconds ||
      sum.passed_on <= sum.computing)
    return {};
  return fmt::format(
      "{} of the waiting for late senders is a chain: the late sender was itself waiting",
      show_share_of(sum.passed_on, sum.seconds));
}

std::vector<std::string> describe_waiting(const WaitingReport& report, std::size_t most,
                                          double least) {
  std::vector<std::string> out;
  if (auto chain = describe_chain(report); !chain.empty() && report.late_sender.seconds >= least)
    out.push_back(std::move(chain));
  for (std::size_t k = 0; k < std::min(most, report.processes.size()); ++k)
    if (report.processes[k].seconds >= std::max(least_late_share * report.seconds(), least))
      out.push_back(describe_late_process(report.processes[k]));
  return out;
}

std::string to_table(const WaitingReport& report) {
  std::string out;
  if (!report.collectives.empty())
    out += "\n" + show_collectives(report.collectives);
  else if (!report.knows_collectives)
    out += "who comes last in collective operations is not known\n";
  for (auto metric : report.unknown_collectives)
    out += fmt::format("who comes last in {} is not known\n", name_collectives(metric));

  const auto sentences = describe_waiting(report);
  if (!sentences.empty())
    out += "\n";
  for (const auto& sentence : sentences)
    out += sentence + "\n";
  if (!report.knows_delays && report.seconds() > 0)
    out += "what made processes late is not known\n";

  return out;
}

Json waiting_to_json(const WaitingReport& report) {
  Json out{{"late_senders", sum_to_json(report.late_sender, report.knows_delays)},
           {"late_receivers", sum_to_json(report.late_receiver, report.knows_delays)}};
  if (report.knows_collectives) {
    out["collective_operations"] = sum_to_json(report.collective, report.knows_delays);
    auto& kinds = out["collective_operations"]["kinds"] = Json::array();
    for (const auto& of_kind : report.collectives) {
      auto last = Json::array();
      for (const auto& one : of_kind.last)
        last.push_back({{"process", one.name}, {"seconds", one.seconds}});
      kinds.push_back({{"metric", std::string(get_entry(of_kind.metric).name)},
                       {"seconds", of_kind.seconds},
                       {"last", std::move(last)}});
    }
  }
  for (auto metric : report.unknown_collectives)
    out["unknown_collective_operations"].push_back(std::string(get_entry(metric).name));
  if (report.knows_delays) {
    auto late = Json::array();
    for (const auto& process : report.processes)
      late.push_back({{"process", process.name},
                      {"seconds", process.seconds},
                      {"passed_on_seconds", process.passed_on},
                      {"causes", causes_to_json(process.causes)}});
    out["late_processes"] = std::move(late);
    out["causes"] = causes_to_json(report.causes);
  }

  return out;
}

}  // namespace tracefold
