#include "filters/summary/explain_transfer.hpp"

#include "filters/summary/measure_run.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// Whether messages grow or shrink from each iteration to the next, in nearly all of them.
void find_growth(const RunFacts& facts, Finding& found) {
  constexpr double least_growth = 1.5, least_share = 0.9;
  constexpr std::size_t least_iterations = 8;
  if (facts.loops.size() != 1)
    return;
  std::vector<double> sizes;
  for (const auto& column : facts.loops.front().columns)
    if (column.messages > 0)
      sizes.push_back(column.bytes / column.messages);
  if (sizes.size() < least_iterations)
    return;

  double up = 0, down = 0;
  for (std::size_t k = 1; k < sizes.size(); ++k)
    (sizes[k] > sizes[k - 1] ? up : down) += sizes[k] != sizes[k - 1];
  const auto first = std::max(sizes.front(), 1.0), last = std::max(sizes.back(), 1.0);
  const bool is_growth =
      std::max(up, down) >= least_share * static_cast<double>(sizes.size() - 1) &&
      (last > first) == (up > down) &&
      std::max(first, last) >= least_growth * std::min(first, last);
  if (is_growth) {
    found.bytes_first = sizes.front();
    found.bytes_last = sizes.back();
  }
}

}  // namespace

void explain_transfer(LossSearch& loss) {
  auto& found = loss.out.finding;
  struct CallTransfers {
    double time = 0;
    Paradigm paradigm = Paradigm::computation;
    std::uint64_t operations = 0, bytes = 0;
  };

  std::map<std::pair<std::string, std::string>, CallTransfers> sums;
  const auto& profiles = loss.facts.calls.profiles;
  const auto& columns = profiles.columns;
  const auto read = [&](std::size_t p, std::size_t k, Metric metric) -> std::uint64_t {
    const auto column = columns.find(metric);
    return column ? profiles.value(p, k, *column) : 0;
  };

  std::uint64_t messages = 0, bytes = 0;
  for (const auto& rank : loss.out.ranks)
    for (auto p : rank.threads) {
      const auto& paths = profiles.shape(p).paths;
      const auto work = loss.work.list(p);
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const auto& kind = loss.work.kind(paths[k]);
        const auto time = work.find(paths[k]);
        const auto sends = read(p, k, Metric::sends) + read(p, k, Metric::send_synchronizations);
        messages += sends;
        bytes += read(p, k, Metric::bytes_sent);
        if (!kind.is_mpi || kind.is_mpi_io || time == work.end())
          continue;

        const auto call = name_call(loss.facts.calls, paths[k]);
        auto& sum = sums[{call.function, call.caller}];
        sum.time += time->second;
        sum.paradigm = kind.paradigm;
        sum.operations +=
            kind.paradigm == Paradigm::point_to_point
                ? 0
                : read(p, k, Metric::collectives) + read(p, k, Metric::collective_synchronizations);
        sum.bytes += read(p, k, Metric::collective_bytes_outgoing);
      }
    }

  double most = 0;
  for (const auto& [names, sum] : sums)
    if (sum.time > most) {
      most = sum.time;
      found.call = {names.first, names.second};
      found.paradigm = sum.paradigm;
      found.operations = sum.operations;
      found.bytes_each = sum.operations > 0
                             ? static_cast<double>(sum.bytes) / static_cast<double>(sum.operations)
                             : 0;
    }

  if (found.paradigm == Paradigm::point_to_point && messages > 0) {
    found.operations = messages;
    found.bytes_each = static_cast<double>(bytes) / static_cast<double>(messages);
    find_growth(loss.facts, found);
  }
  found.value = most;
}

}  // namespace tracefold
