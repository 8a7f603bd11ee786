#include "filters/report/report_groups.hpp"

#include "model/profile/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace tracefold {

namespace {

using ProcessTimes = std::vector<std::optional<double>>;

ProcessTimes list_computation(const RunFacts& facts, const Summary& summary) {
  ProcessTimes out(facts.processes.size());
  for (const auto& rank : summary.ranks)
    for (std::size_t t = 0; t < rank.threads.size(); ++t)
      out[rank.threads[t]] = rank.computation[t];
  return out;
}

// Only for the threads that call MPI for their rank.
ProcessTimes list_waiting(const RunFacts& facts, const Summary& summary) {
  ProcessTimes out(facts.processes.size());
  for (const auto& rank : summary.ranks)
    out[rank.master] = rank.waiting;
  return out;
}

std::optional<ReportRange> measure_range(const std::vector<std::size_t>& members,
                                         const ProcessTimes& times) {
  ReportRange out;
  std::size_t known = 0;
  for (auto p : members)
    if (const auto& own = times[p]) {
      out.least = known == 0 ? *own : std::min(out.least, *own);
      out.most = std::max(out.most, *own);
      out.mean += *own;
      ++known;
    }
  if (known == 0)
    return std::nullopt;
  out.mean /= static_cast<double>(known);
  return out;
}

// The groups that are shown by themselves, ascending.
std::vector<std::size_t> choose_shown(const std::vector<ComputedGroup>& groups) {
  std::vector<std::size_t> out(groups.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  if (out.size() <= most_report_groups)
    return out;
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return groups[a].members.size() > groups[b].members.size();
  });
  out.resize(most_report_groups - 1);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::uint32_t> order_processes(const std::vector<Process>& processes) {
  std::vector<std::uint32_t> out(processes.size());
  std::iota(out.begin(), out.end(), 0u);
  const auto key = [&](std::uint32_t p) {
    const auto& one = processes[p];
    return std::tuple(!one.rank, one.rank.value_or(one.location_group), one.thread, one.id);
  };
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return key(a) < key(b); });
  return out;
}

void list_report_groups(const RunFacts& facts, const Summary& summary,
                        const std::vector<GroupReason>& reasons,
                        const std::vector<std::vector<std::size_t>>& representatives,
                        Report& report) {
  const auto computation = list_computation(facts, summary);
  const auto waiting = list_waiting(facts, summary);
  const auto shown = choose_shown(facts.groups);
  const bool leaves_out = shown.size() < facts.groups.size();

  for (auto g : shown) {
    auto& group = report.groups.emplace_back();
    group.name = facts.groups[g].name;
    group.members = facts.groups[g].members;
    if (g < representatives.size())
      group.representatives = representatives[g];
    if (g < reasons.size())
      group.reason = reasons[g];
  }
  if (leaves_out) {
    auto& others = report.groups.emplace_back();
    others.merged = facts.groups.size() - shown.size();
    others.name = fmt::format("{} other groups", others.merged);
    std::size_t next = 0;
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
      if (next < shown.size() && shown[next] == g) {
        ++next;
        continue;
      }
      const auto& members = facts.groups[g].members;
      others.members.insert(others.members.end(), members.begin(), members.end());
      if (g < representatives.size())
        others.representatives.insert(others.representatives.end(), representatives[g].begin(),
                                      representatives[g].end());
    }
    std::sort(others.members.begin(), others.members.end());
    std::sort(others.representatives.begin(), others.representatives.end());
  }

  report.group_of.assign(facts.processes.size(), 0);
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    auto& group = report.groups[g];
    for (auto p : group.members)
      report.group_of[p] = static_cast<std::uint32_t>(g);
    group.computation = measure_range(group.members, computation);
    group.waiting = measure_range(group.members, waiting);
  }
}

}  // namespace tracefold
