#include "filters/report/report_waits.hpp"

#include "filters/report/rank_correlation.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_explained = 12;      // calls that wait
constexpr std::size_t most_late = 3;            // processes of a call
constexpr double least_late_part = 0.05;        // of the waiting of a kind
constexpr double least_explaining_part = 0.01;  // of the time of all computation

// By process how long others wait for it, of one kind of waiting in the whole run; ticks.
std::vector<double> list_caused(const RunFacts& facts, Metric kind) {
  std::vector<double> out(facts.processes.size());
  if (kind == Metric::mpi_late_sender_time || kind == Metric::mpi_late_receiver_time) {
    if (facts.pairs)
      for (const auto& pair : *facts.pairs) {
        if (kind == Metric::mpi_late_sender_time)
          out[pair.sender] += static_cast<double>(pair.late_sender);
        else
          out[pair.receiver] += static_cast<double>(pair.late_receiver);
      }
    return out;
  }
  if (const auto at = facts.caused.find(kind); at != facts.caused.end())
    for (std::size_t p = 0; p < std::min(out.size(), at->second.size()); ++p)
      out[p] = static_cast<double>(at->second[p]);
  return out;
}

ReportLate name_late(const RunFacts& facts, Metric kind) {
  const auto caused = list_caused(facts, kind);
  const auto all = std::accumulate(caused.begin(), caused.end(), 0.0);
  std::vector<std::size_t> order(caused.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto listed = std::min(most_late, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(listed), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return std::pair(-caused[a], a) < std::pair(-caused[b], b);
                    });
  ReportLate out{kind, {}};
  if (all <= 0)
    return out;
  out.is_spread = caused[order.front()] < least_late_part * all;
  for (std::size_t k = 0; k < listed; ++k)
    if (k == 0 || caused[order[k]] >= least_late_part * all)
      out.names.push_back(fmt::format("{} ({:.0f} %)", name_process(facts.processes[order[k]]),
                                      100 * caused[order[k]] / all));
  return out;
}

// What ranks do by call: waiting of some calls, and the time of functions that compute.
class RankCalls {
 public:
  RankCalls(const RunFacts& facts, const Summary& summary, const std::vector<ReportWait>& waits)
      : ranks_(summary.ranks.size()) {
    const auto& profiles = facts.calls.profiles;
    const auto time = *profiles.columns.find(Metric::execution_time);
    std::vector<std::size_t> columns;
    for (auto wait : profiles.columns.list_waits())
      columns.push_back(*profiles.columns.find(wait));
    for (std::size_t k = 0; k < std::min(waits.size(), most_explained); ++k) {
      const auto& call = waits[k].waiting.call;
      waiting_[{call.function, call.caller}].resize(ranks_);
    }

    const auto kinds = classify_paths(facts.calls);
    std::vector<std::vector<double>*> waiting_of(profiles.paths.size()),
        computing_of(profiles.paths.size());
    for (PathIndex path = 0; path < profiles.paths.size(); ++path) {
      const auto call = name_call(facts.calls, path);
      if (kinds[path].is_mpi) {
        if (const auto at = waiting_.find({call.function, call.caller}); at != waiting_.end())
          waiting_of[path] = &at->second;
      } else if (kinds[path].paradigm == Paradigm::computation && !call.function.empty()) {
        auto& of = computing_[call.function];
        of.resize(ranks_);
        computing_of[path] = &of;
      }
    }
    for (std::size_t r = 0; r < ranks_; ++r)
      for (auto p : summary.ranks[r].threads) {
        const auto& paths = profiles.shape(p).paths;
        for (std::size_t k = 0; k < paths.size(); ++k) {
          if (auto* of = computing_of[paths[k]])
            (*of)[r] += static_cast<double>(profiles.value(p, k, time));
          if (auto* of = waiting_of[paths[k]])
            for (auto column : columns)
              (*of)[r] += static_cast<double>(profiles.value(p, k, column));
        }
      }
    leave_out_short();
  }

  // The function of which ranks do less, the longer they wait, where it stands out. The chance is
  // that of any of them.
  std::optional<ReportCorrelation> explain(const NamedCall& call) const {
    const auto at = waiting_.find({call.function, call.caller});
    if (at == waiting_.end() || ranks_ < least_explained_ranks || computing_.empty())
      return std::nullopt;
    ReportCorrelation out;
    for (const auto& [function, times] : computing_)
      if (const auto r = correlate_values(at->second, times); r < out.r) {
        out.r = r;
        out.call = function;
      }
    if (out.call.empty())
      return std::nullopt;
    out.chance = std::min(
        1.0, static_cast<double>(computing_.size()) * find_correlation_chance(out.r, ranks_));
    if (out.chance > clear_chance)
      return std::nullopt;
    return out;
  }

 private:
  void leave_out_short() {
    double all = 0;
    std::map<std::string, double> sums;
    for (const auto& [function, times] : computing_)
      all += sums[function] = std::accumulate(times.begin(), times.end(), 0.0);
    std::erase_if(computing_,
                  [&](const auto& one) { return sums[one.first] < least_explaining_part * all; });
  }

  std::size_t ranks_;
  std::map<std::pair<std::string, std::string>, std::vector<double>> waiting_;
  std::map<std::string, std::vector<double>> computing_;
};

constexpr auto no_wait = static_cast<std::size_t>(-1);

// By path its place among the waits that are explained. Only MPI waits.
std::vector<std::size_t> place_waits(const RunFacts& facts, const std::vector<SummedKind>& kinds,
                                     const std::vector<ReportWait>& waits) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t k = 0; k < std::min(waits.size(), most_explained); ++k) {
    const auto& call = waits[k].waiting.call;
    known.try_emplace({call.function, call.caller}, k);
  }
  std::vector<std::size_t> out(facts.calls.profiles.paths.size(), no_wait);
  for (PathIndex path = 0; path < out.size(); ++path) {
    if (!kinds[path].is_mpi)
      continue;
    const auto call = name_call(facts.calls, path);
    if (const auto at = known.find({call.function, call.caller}); at != known.end())
      out[path] = at->second;
  }
  return out;
}

std::vector<float> to_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

void add_group_waits(const RunFacts& facts, const Summary& summary, Report& report) {
  if (report.waits.empty())
    return;
  const auto& profiles = facts.calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  std::vector<std::size_t> columns;
  for (const auto metric : profiles.columns.list_waits())
    columns.push_back(*profiles.columns.find(metric));

  const auto kinds = classify_paths(facts.calls);
  const auto place_of = place_waits(facts, kinds, report.waits);
  const auto groups = report.groups.size();
  std::vector<double> of_all(groups);
  std::vector<std::vector<double>> of_wait(std::min(report.waits.size(), most_explained),
                                           std::vector<double>(groups));
  for (const auto& rank : summary.ranks)
    for (const auto p : rank.threads) {
      const auto& paths = profiles.shape(p).paths;
      for (std::size_t k = 0; k < paths.size(); ++k) {
        if (!kinds[paths[k]].is_mpi)
          continue;
        double ticks = 0;
        for (const auto column : columns)
          ticks += static_cast<double>(profiles.value(p, k, column));
        // A time of waiting is at most that of its call.
        ticks = std::min(ticks, static_cast<double>(profiles.value(p, k, time)));
        of_all[report.group_of[p]] += facts.to_seconds(ticks);
        if (const auto place = place_of[paths[k]]; place != no_wait)
          of_wait[place][report.group_of[p]] += facts.to_seconds(ticks);
      }
    }

  report.group_waiting = to_floats(of_all);
  for (std::size_t k = 0; k < of_wait.size(); ++k)
    report.waits[k].group_seconds = to_floats(of_wait[k]);
}

std::vector<ReportWait> list_report_waits(const RunFacts& facts, const Summary& summary) {
  std::vector<ReportWait> out;
  for (const auto& wait : summary.waits)
    out.push_back({wait});
  const RankCalls calls(facts, summary, out);
  for (std::size_t k = 0; k < std::min(out.size(), most_explained); ++k)
    out[k].correlation = calls.explain(out[k].waiting.call);
  return out;
}

std::vector<ReportLate> list_report_late(const RunFacts& facts,
                                         const std::vector<ReportWait>& waits) {
  std::map<Metric, double> seconds;
  for (const auto& wait : waits)
    seconds[wait.waiting.kind] += wait.waiting.seconds;
  std::vector<ReportLate> out;
  for (const auto& [kind, ignored] : seconds)
    if (auto late = name_late(facts, kind); !late.names.empty())
      out.push_back(std::move(late));
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto& a, const auto& b) { return seconds[a.kind] > seconds[b.kind]; });
  return out;
}

}  // namespace tracefold
