#include "filters/report/rank_matrix.hpp"

#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tracefold {

namespace {

constexpr std::uint32_t several_groups = 0xffffffff;

// A trace may claim any ranks: 0 where there are too many for its processes.
std::uint64_t count_ranks(const RunFacts& facts) {
  const auto most = 64 * static_cast<std::uint64_t>(facts.processes.size());
  std::uint64_t ranks = 0;
  for (const auto& process : facts.processes) {
    if (!process.rank)
      continue;
    if (*process.rank >= most)
      return 0;
    ranks = std::max(ranks, *process.rank + 1);
  }
  return ranks;
}

double measure_waiting(const RunFacts& facts, const ProgramPair& pair) {
  return facts.to_seconds(static_cast<double>(pair.late_sender) +
                          static_cast<double>(pair.late_receiver));
}

// By row the group that all of its ranks are of; nothing where a row is of several ones.
std::vector<std::uint32_t> find_groups_of_rows(const RunFacts& facts, const Report& report,
                                               std::size_t rows, std::uint64_t per_row) {
  std::vector<std::uint32_t> out(rows, several_groups);
  for (std::size_t p = 0; p < facts.processes.size(); ++p) {
    const auto& process = facts.processes[p];
    if (!process.rank || process.thread > 0)
      continue;
    auto& group = out[static_cast<std::size_t>(*process.rank / per_row)];
    if (group != several_groups && group != report.group_of[p])
      return {};
    group = report.group_of[p];
  }
  if (std::find(out.begin(), out.end(), several_groups) != out.end())
    out.clear();
  return out;
}

}  // namespace

std::optional<ReportMatrix> sum_rank_matrix(const RunFacts& facts, const Report& report,
                                            bool knows_waiting) {
  if (!facts.pairs)
    return std::nullopt;
  const auto ranks = count_ranks(facts);
  if (ranks == 0)
    return std::nullopt;

  ReportMatrix out;
  const auto per_row = (ranks + most_matrix_rows - 1) / most_matrix_rows;
  const auto rows = static_cast<std::size_t>((ranks + per_row - 1) / per_row);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = row * per_row, last = std::min(ranks, first + per_row) - 1;
    out.names.push_back(first == last ? fmt::format("rank {}", first)
                                      : fmt::format("ranks {}-{}", first, last));
  }
  out.group_of_row = find_groups_of_rows(facts, report, rows, per_row);

  std::vector<double> messages(rows * rows), bytes(rows * rows), waiting(rows * rows);
  std::vector<const ProgramPair*> pairs;
  for (const auto& pair : *facts.pairs) {
    const auto& from = facts.processes[pair.sender].rank;
    const auto& to = facts.processes[pair.receiver].rank;
    if (!from || !to)
      continue;
    const auto cell =
        static_cast<std::size_t>(*from / per_row) * rows + static_cast<std::size_t>(*to / per_row);
    messages[cell] += static_cast<double>(pair.messages);
    bytes[cell] += static_cast<double>(pair.bytes);
    waiting[cell] += measure_waiting(facts, pair);
    pairs.push_back(&pair);
  }
  out.pairs = pairs.size();
  if (pairs.empty())
    return out;

  const auto add = [&](const char* metric, const char* label, const char* unit,
                       const std::vector<double>& values) {
    out.metrics.push_back({metric, label, unit, {values.begin(), values.end()}});
  };
  add("messages", "messages", "", messages);
  add("bytes", "bytes", "B", bytes);
  if (knows_waiting)
    add("waiting", "waiting for each other", "s", waiting);

  const auto key = [&](const ProgramPair* pair) {
    return std::tuple(-(knows_waiting ? measure_waiting(facts, *pair) : 0.0), ~pair->bytes,
                      pair->sender, pair->receiver);
  };
  const auto listed = std::min(most_listed_pairs, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(listed), pairs.end(),
                    [&](auto* a, auto* b) { return key(a) < key(b); });
  for (std::size_t k = 0; k < listed; ++k) {
    const auto& pair = *pairs[k];
    auto& one = out.largest.emplace_back();
    one.from = name_process(facts.processes[pair.sender]);
    one.to = name_process(facts.processes[pair.receiver]);
    one.messages = pair.messages;
    one.bytes = pair.bytes;
    if (knows_waiting)
      one.waiting = measure_waiting(facts, pair);
  }
  return out;
}

}  // namespace tracefold
