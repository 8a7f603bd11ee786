#include "filters/messages/fold_messages.hpp"

#include "filters/messages/align_ranks.hpp"
#include "filters/messages/choose_column.hpp"
#include "filters/messages/signature_clusters.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// Numbers distinct columns and operations as they come.
class SectionWriter {
 public:
  explicit SectionWriter(Messages& out) : out_(out) {}

  std::uint32_t number_column(Column column) {
    if (column.form == ColumnForm::constant) {
      const auto next = static_cast<std::uint32_t>(out_.columns.size());
      const auto [at, is_new] = constants_.try_emplace(column.numbers[0], next);
      if (is_new)
        out_.columns.push_back(std::move(column));
      return at->second;
    }

    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(column.form)};
    for (auto number : column.numbers)
      key.push_back(static_cast<std::uint64_t>(number));
    for (const auto& [rank, value] : column.table) {
      key.push_back(rank);
      key.push_back(value);
    }
    const auto next = static_cast<std::uint32_t>(out_.columns.size());
    const auto [at, is_new] = columns_.try_emplace(std::move(key), next);
    if (is_new)
      out_.columns.push_back(std::move(column));
    return at->second;
  }

  std::uint32_t number_operation(const ClusterOperation& operation) {
    const auto next = static_cast<std::uint32_t>(out_.operations.size());
    const auto [at, is_new] = operations_.try_emplace(operation, next);
    if (is_new)
      out_.operations.push_back(operation);
    return at->second;
  }

 private:
  struct OperationHash {
    std::size_t operator()(const ClusterOperation& operation) const {
      std::uint64_t hash = std::uint64_t{operation.path} << 16 |
                           static_cast<std::uint64_t>(operation.kind) << 8 | operation.thread;
      for (auto column : operation.columns)
        hash = (hash ^ column) * 0x9e3779b97f4a7c15u + (hash >> 29);
      return hash ^ hash >> 32;
    }
  };

  Messages& out_;
  std::unordered_map<std::int64_t, std::uint32_t> constants_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> columns_;  // of other forms
  std::unordered_map<ClusterOperation, std::uint32_t, OperationHash> operations_;
};

ClusterOperation share_row(const Communication& communication, const AlignedRanks& aligned,
                           const std::vector<std::uint32_t>& ranks, std::size_t row,
                           const ColumnChooser& chooser, SectionWriter& writer) {
  const auto& first = aligned.operation(communication, row, 0);
  ClusterOperation shared{first.kind, first.thread, first.path, {}};
  const auto parameters = list_parameters(first.kind);
  std::vector<std::uint64_t> values(ranks.size());

  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const bool is_peer = parameters[p] == Parameter::peer;
    for (std::size_t m = 0; m < ranks.size(); ++m) {
      values[m] = aligned.operation(communication, row, m).values[p];
      if (is_peer && is_rank(values[m]))
        values[m] = (values[m] + ranks[m]) % communication.size;
    }
    const bool are_ranks = is_peer || parameters[p] == Parameter::root;
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
  for (auto& [path, gap] : gaps)
    out.push_back(std::move(gap));
  return out;
}

MainCluster share_cluster(const Communication& communication, std::vector<std::size_t> members,
                          const ColumnChooser& chooser, SectionWriter& writer) {
  const auto aligned = align_ranks(communication, std::move(members));
  MainCluster cluster;
  for (auto member : aligned.members) {
    cluster.ranks.push_back(static_cast<std::uint32_t>(communication.ranks[member].rank));
  }

  std::vector<std::uint32_t> numbers;
  for (std::size_t row = 0; row < aligned.rows.size(); ++row) {
    numbers.push_back(writer.number_operation(
        share_row(communication, aligned, cluster.ranks, row, chooser, writer)));
  }
  cluster.sequence = aligned.sequence;
  for (auto& node : cluster.sequence)
    if (!node.is_loop())
      node.symbol = numbers[node.symbol];
  cluster.gaps = share_gaps(communication, aligned.members);
  return cluster;
}

}  // namespace

Messages fold_messages(const Communication& communication) {
  Messages out;
  out.size = communication.size;
  out.complete = communication.unknown_ends == 0 && communication.damaged == 0;
  out.endpoints = communication.endpoints;
  out.nodes = communication.nodes;
  out.communicators = communication.communicators;
  for (auto& communicator : out.communicators)
    for (auto* side : {&communicator.ranks, &communicator.remote})
      std::erase_if(*side, [&](auto rank) { return rank >= out.size; });  // not in MPI
  out.names = communication.names;
  out.paths = communication.paths;

  const auto numbers = find_main_clusters(communication);
  std::map<std::uint32_t, std::vector<std::size_t>> members;
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto& rank = communication.ranks[r];
    if (rank.damaged || !is_rank(rank.rank))
      out.complete = false;
    if (is_rank(rank.rank))
      members[numbers[r]].push_back(r);
  }

  SectionWriter writer(out);
  const ColumnChooser chooser(communication.size, communication.grids);
  for (auto& [number, ranks] : members) {
    out.clusters.push_back(share_cluster(communication, std::move(ranks), chooser, writer));
  }
  return out;
}

}  // namespace tracefold
