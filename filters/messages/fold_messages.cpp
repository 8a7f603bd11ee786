#include "filters/messages/fold_messages.hpp"

#include "base/number_table.hpp"
#include "filters/messages/align_ranks.hpp"
#include "filters/messages/choose_column.hpp"
#include "filters/messages/signature_clusters.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr auto no_bound = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t spread(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value ^ hash >> 29) * 0x9e3779b97f4a7c15u;
}

// Numbers distinct columns and operations as they come, and counts what they take at least.
class SectionWriter {
 public:
  SectionWriter(Messages& out, std::uint64_t most_bytes) : out_(out), most_bytes_(most_bytes) {}

  bool is_full() const { return bytes_ > most_bytes_; }

  std::uint32_t number_constant(std::uint64_t value) {
    const auto number = static_cast<std::int64_t>(value);
    return number_column({ColumnForm::constant, {&number, 1}, {}});
  }

  std::uint32_t number_column(const ColumnView& column) {
    const auto known = out_.columns.size();
    const auto number = columns_.find_or_push(hash(column), out_.columns, column);
    if (number == known)
      bytes_ += column.form == ColumnForm::constant
                    ? measure_constant(static_cast<std::uint64_t>(column.numbers[0]))
                    : shortest_column;
    return number;
  }

  std::uint32_t number_operation(const ClusterOperation& operation) {
    const auto known = out_.operations.size();
    const auto number = operations_.find_or_push(hash(operation), out_.operations, operation);
    if (number == known)
      bytes_ += measure_operation(operation);
    return number;
  }

 private:
  static constexpr std::uint64_t shortest_column = 5;

  static std::uint64_t hash(const ColumnView& column) {
    auto hash = static_cast<std::uint64_t>(column.form) + 1;
    for (auto number : column.numbers)
      hash = spread(hash, static_cast<std::uint64_t>(number));
    for (const auto& [rank, value] : column.table)
      hash = spread(spread(hash, rank), value);
    return hash;
  }
  static std::uint64_t hash(const ClusterOperation& operation) {
    std::uint64_t hash = std::uint64_t{operation.path} << 16 |
                         static_cast<std::uint64_t>(operation.kind) << 8 | operation.thread;
    for (auto column : operation.columns)
      hash = spread(hash, column);
    return hash;
  }

  Messages& out_;
  std::uint64_t most_bytes_, bytes_ = 0;
  NumberTable columns_, operations_;
};

ClusterOperation share_row(const Communication& communication, const AlignedRanks& aligned,
                           const std::vector<std::uint32_t>& ranks, std::size_t row,
                           const ColumnChooser& chooser, SectionWriter& writer) {
  const auto& first = aligned.operation(communication, row, 0);
  ClusterOperation shared{first.kind, first.thread, first.is_in_same_call, first.path, {}};
  const auto parameters = list_parameters(first.kind);
  const auto find_value_of = [&](std::size_t m, std::size_t p) {
    const auto value = aligned.operation(communication, row, m).values[p];
    return parameters[p] == Parameter::peer && is_rank(value)
               ? (value + ranks[m]) % communication.size
               : value;
  };

  std::vector<std::uint64_t> values;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (ranks.size() == 1) {
      shared.columns[p] = writer.number_constant(find_value_of(0, p));
      continue;
    }
    values.resize(ranks.size());
    for (std::size_t m = 0; m < ranks.size(); ++m)
      values[m] = find_value_of(m, p);
    const bool are_ranks = parameters[p] == Parameter::peer || parameters[p] == Parameter::root;
    shared.columns[p] = writer.number_column(chooser.choose(ranks, values, are_ranks));
  }
  return shared;
}

std::vector<ClusterGap> share_gaps(const Communication& communication,
                                   const std::vector<std::size_t>& members) {
  std::map<std::uint32_t, ClusterGap> gaps;
  for (std::size_t m = 0; m < members.size(); ++m)
    for (const auto& [path, ticks] : communication.ranks[members[m]].gaps) {
      auto& gap = gaps[path];
      gap.path = path;
      gap.ticks.resize(members.size());
      gap.ticks[m] = ticks;
    }

  std::vector<ClusterGap> out;
  out.reserve(gaps.size());
  for (auto& [path, gap] : gaps)
    out.push_back(std::move(gap));
  return out;
}

// Without its sequence where the section is full.
MainCluster share_cluster(const Communication& communication, std::vector<std::size_t> members,
                          const ColumnChooser& chooser, SectionWriter& writer) {
  auto aligned = align_ranks(communication, std::move(members));
  MainCluster cluster;
  for (auto member : aligned.members) {
    cluster.ranks.push_back(static_cast<std::uint32_t>(communication.ranks[member].rank));
  }

  std::vector<std::uint32_t> numbers;
  for (std::size_t row = 0; row < aligned.rows() && !writer.is_full(); ++row) {
    numbers.push_back(writer.number_operation(
        share_row(communication, aligned, cluster.ranks, row, chooser, writer)));
  }
  if (writer.is_full())
    return cluster;

  cluster.sequence = std::move(aligned.sequence);
  for (auto& node : cluster.sequence)
    if (!node.is_loop())
      node.symbol = numbers[node.symbol];
  cluster.gaps = share_gaps(communication, aligned.members);
  return cluster;
}

}  // namespace

std::optional<Messages> fold_messages_within(const Communication& communication,
                                             std::uint64_t most_bytes) {
  Messages out;
  out.size = communication.size;
  out.complete = communication.unknown_ends == 0 && communication.damaged == 0 &&
                 !communication.lacks_processes;
  out.endpoints = communication.endpoints;
  out.nodes = communication.nodes;
  out.communicators = communication.communicators;
  for (auto& communicator : out.communicators)
    for (auto* side : {&communicator.ranks, &communicator.remote})
      std::erase_if(*side, [&](auto rank) { return rank >= out.size; });  // not in MPI
  out.definitions = communication.definitions;
  out.names = communication.names;
  out.paths = communication.paths;

  const auto numbers = find_main_clusters(communication);
  std::map<std::uint32_t, std::vector<std::size_t>> members;
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto& rank = communication.ranks[r];
    if (rank.damaged || !is_rank(rank.rank))
      out.complete = false;
    if (!is_rank(rank.rank))
      continue;

    members[numbers[r]].push_back(r);
    out.threads.resize(std::max(out.threads.size(), rank.threads.size()));
    for (std::size_t k = 0; k < rank.threads.size(); ++k) {
      out.threads[k].ranks.push_back(static_cast<std::uint32_t>(rank.rank));
      out.threads[k].locations.push_back(rank.threads[k]);
    }
  }

  SectionWriter writer(out, most_bytes);
  const ColumnChooser chooser(communication.size, communication.grids);
  for (auto& [number, ranks] : members) {
    out.clusters.push_back(share_cluster(communication, std::move(ranks), chooser, writer));
    if (writer.is_full())
      return std::nullopt;
  }
  if (most_bytes < no_bound && measure_messages(out) > most_bytes)
    return std::nullopt;
  return out;
}

Messages fold_messages(const Communication& communication) {
  return *fold_messages_within(communication, no_bound);
}

}  // namespace tracefold
