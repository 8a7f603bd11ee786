#include "filters/messages/sum_matrix.hpp"

#include "model/messages/own_communicators.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
};

using Cell = std::pair<std::uint32_t, std::uint32_t>;  // from, to

std::string name_path(const Messages& messages, std::uint32_t path) {
  std::string name;
  for (; path != 0; path = messages.paths[path].caller) {
    const auto& function = messages.names[messages.paths[path].name];
    name = name.empty() ? function : function + " > " + name;
  }
  return name;
}

// How often a cluster has each of the operations that send.
std::map<std::uint32_t, std::uint64_t> count_sends(const Messages& messages,
                                                   const MainCluster& cluster) {
  std::map<std::uint32_t, std::uint64_t> times;
  visit_symbols(cluster.sequence, [&](std::uint32_t symbol, std::uint64_t count) {
    if (is_send(messages.operations[symbol].kind))
      times[symbol] += count;
  });
  return times;
}

class Summer {
 public:
  Summer(const Messages& messages, const RowsOfRanks& rows, MatrixSplit split)
      : messages_(messages), rows_(rows), split_(split) {
    if (split == MatrixSplit::communicator)
      communicators_ = OwnCommunicators(messages);
  }

  void add(const MainCluster& cluster) {
    const auto sends = count_sends(messages_, cluster);
    if (sends.empty())
      return;

    for (auto rank : cluster.ranks)
      for (auto [symbol, times] : sends)
        add(messages_.operations[symbol], rank, times);
  }

  std::vector<MatrixPart> take() {
    std::vector<MatrixPart> parts;
    for (const auto& [key, cells] : sums_) {
      auto& part = parts.emplace_back(MatrixPart{name_part(key), {}});
      for (const auto& [place, sum] : cells)
        part.cells.push_back({place.first, place.second, sum.messages, sum.bytes});
    }
    if (parts.empty() && split_ == MatrixSplit::none)
      parts.emplace_back();
    return parts;
  }

 private:
  void add(const ClusterOperation& operation, std::uint32_t rank, std::uint64_t times) {
    const auto find = [&](Parameter parameter) {
      return find_value(messages_, operation, parameter, rank);
    };

    std::uint64_t key = 0;
    if (split_ == MatrixSplit::tag)
      key = find(Parameter::tag);
    if (split_ == MatrixSplit::call_path)
      key = operation.path;
    if (split_ == MatrixSplit::communicator)
      key = communicators_.find(rank, find(Parameter::communicator)).value_or(unknown_row);

    const auto peer = find(Parameter::peer);
    const auto to = peer < rows_.row_of.size() ? rows_.row_of[peer] : unknown_row;
    auto& sum = sums_[key][{rows_.row_of[rank], to}];
    sum.messages += times;
    sum.bytes += times * find(Parameter::bytes);
  }

  std::string name_part(std::uint64_t key) const {
    switch (split_) {
      case MatrixSplit::none: return {};
      case MatrixSplit::tag: return std::to_string(key);
      case MatrixSplit::call_path: return name_path(messages_, static_cast<std::uint32_t>(key));
      case MatrixSplit::communicator: break;
    }
    if (key == unknown_row)
      return "unknown";
    const auto& communicator = messages_.communicators[key];
    return fmt::format("{}{}({})", communicator.name, communicator.name.empty() ? "" : " ",
                       communicator.id);
  }

  const Messages& messages_;
  const RowsOfRanks& rows_;
  const MatrixSplit split_;
  OwnCommunicators communicators_;                         // where it is split by them
  std::map<std::uint64_t, std::map<Cell, Traffic>> sums_;  // by what the matrix is split by
};

}  // namespace

RowsOfRanks list_rank_rows(const Messages& messages) {
  RowsOfRanks rows{MatrixRows::rank, {}, std::vector<std::uint32_t>(messages.size)};
  std::iota(rows.row_of.begin(), rows.row_of.end(), 0u);
  for (auto rank : rows.row_of)
    rows.names.push_back(std::to_string(rank));
  return rows;
}

RowsOfRanks list_node_rows(const Messages& messages) {
  RowsOfRanks rows{MatrixRows::node, {}, std::vector<std::uint32_t>(messages.size, unknown_row)};
  for (const auto& node : messages.nodes) {
    for (auto rank : node.ranks)
      rows.row_of[rank] = static_cast<std::uint32_t>(rows.names.size());
    rows.names.push_back(node.name);
  }

  const auto others = static_cast<std::uint32_t>(rows.names.size());
  for (auto& row : rows.row_of)
    if (row == unknown_row) {
      row = others;
      rows.names.resize(others + 1, "no node");
    }
  return rows;
}

RowsOfRanks list_placed_rows(const std::vector<std::size_t>& order,
                             const std::vector<std::string>& names) {
  RowsOfRanks rows{MatrixRows::topology, {}, std::vector<std::uint32_t>(order.size())};
  for (const auto rank : order) {
    rows.row_of[rank] = static_cast<std::uint32_t>(rows.names.size());
    rows.names.push_back(names[rank]);
  }
  return rows;
}

RowsOfRanks list_group_rows(const std::vector<std::uint32_t>& group_of) {
  RowsOfRanks rows{MatrixRows::group, {}, group_of};
  std::map<std::uint32_t, std::uint32_t> places;  // rows, by group; those without one come last
  for (auto group : group_of)
    places.try_emplace(group);

  std::uint32_t next = 0;
  for (auto& [group, row] : places) {
    row = next++;
    rows.names.push_back(group == unknown_row ? "no group" : std::to_string(group));
  }
  for (auto& row : rows.row_of)
    row = places.at(row);
  return rows;
}

MessageMatrix sum_matrix(const Messages& messages, const RowsOfRanks& rows, MatrixSplit split) {
  Summer summer(messages, rows, split);
  for (const auto& cluster : messages.clusters)
    summer.add(cluster);
  return {rows.rows, rows.names, split, summer.take(), false, messages.complete};
}

void name_pairs(const std::vector<Process>& processes, const Aggregates& calls, RankPairs& pairs) {
  for (const auto& process : processes) {
    pairs.ranks.push_back(process.rank);
    pairs.names.push_back(name_process(process));
  }
  pairs.paths = calls.profiles.paths;
  pairs.time_metrics = calls.time_metrics;
  for (const auto& function : calls.functions)
    pairs.functions.push_back(function.name);
}

MessageMatrix sum_pairs(const RankPairs& of, const RowsOfRanks& rows) {
  const auto find_row = [&](std::size_t process) {
    const auto rank = of.ranks[process];
    return rank && *rank < rows.row_of.size()
               ? std::optional(rows.row_of[static_cast<std::size_t>(*rank)])
               : std::nullopt;
  };
  const auto second = static_cast<double>(of.ticks_per_second);
  std::map<Cell, MatrixCell> cells;
  for (const auto& pair : of.pairs) {
    const auto from = find_row(pair.sender), to = find_row(pair.receiver);
    if (!from || !to)
      continue;
    auto& cell = cells[{*from, *to}];
    cell.from = *from;
    cell.to = *to;
    cell.messages += pair.messages;
    cell.bytes += pair.bytes;
    cell.waiting += static_cast<double>(pair.late_sender) / second;
    cell.late_receiver += static_cast<double>(pair.late_receiver) / second;
  }

  MessageMatrix out{rows.rows, rows.names, MatrixSplit::none, {{}}, true};
  for (const auto& [place, cell] : cells)
    out.parts[0].cells.push_back(cell);
  return out;
}

std::uint64_t sum_messages(const Messages& messages) {
  std::uint64_t sum = 0;
  for (const auto& cluster : messages.clusters)
    for (const auto& [symbol, times] : count_sends(messages, cluster))
      sum += times * cluster.ranks.size();
  return sum;
}

}  // namespace tracefold
