#include "model/messages/messages.hpp"

#include "base/error.hpp"
#include "base/number_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

// Gives every distinct operation a number.
class OperationNumbers {
 public:
  explicit OperationNumbers(std::vector<Operation>& operations) : operations_(operations) {}

  std::uint32_t find_number(const Operation& operation) {
    return numbers_.find_or_push(hash(operation), operations_, operation);
  }

 private:
  static std::uint64_t hash(const Operation& operation) {
    std::uint64_t hash = std::uint64_t{operation.path} << 16 |
                         static_cast<std::uint64_t>(operation.kind) << 8 | operation.thread;
    for (auto value : operation.values)
      hash = (hash ^ value ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    return hash;
  }

  std::vector<Operation>& operations_;
  NumberTable numbers_;
};

Operation find_operation(const Messages& messages, const ClusterOperation& shared,
                         std::uint32_t rank) {
  Operation operation{shared.kind, shared.thread, shared.is_in_same_call, shared.path, {}};
  const auto parameters = list_parameters(shared.kind);

  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto column = messages.columns[shared.columns[p]];
    auto value = find_value(column, rank, messages.size);
    if (parameters[p] == Parameter::peer && is_rank(value)) {
      value = (value + messages.size - rank) % messages.size;
    }
    operation.values[p] = value;
  }
  return operation;
}

FoldedSequence rename_symbols(FoldedSequence sequence, const std::vector<std::uint32_t>& old_names,
                              const std::vector<std::uint32_t>& new_names) {
  for (auto& node : sequence) {
    if (node.is_loop())
      continue;
    const auto at = std::lower_bound(old_names.begin(), old_names.end(), node.symbol);
    node.symbol = new_names[static_cast<std::size_t>(at - old_names.begin())];
  }
  return sequence;
}

// Counts the nodes of the sequences that it adds.
void add_cluster(const Messages& messages, const MainCluster& cluster, OperationNumbers& numbers,
                 std::size_t most_nodes, std::size_t& nodes, Communication& out) {
  const auto symbols = list_symbols(cluster.sequence);
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;  // sequences, by their operations

  for (std::size_t m = 0; m < cluster.ranks.size(); ++m) {
    RankOperations one;
    one.rank = cluster.ranks[m];

    std::vector<std::uint32_t> own;
    for (auto symbol : symbols) {
      own.push_back(numbers.find_number(
          find_operation(messages, messages.operations[symbol], cluster.ranks[m])));
    }
    const auto next = static_cast<std::uint32_t>(out.sequences.size());
    const auto [at, is_new] = known.try_emplace(own, next);
    if (is_new) {
      nodes += cluster.sequence.size();
      if (nodes > most_nodes)
        throw Error(ErrorKind::input, "the messages of the plan are too long to be unfolded");
      out.sequences.push_back(rename_symbols(cluster.sequence, symbols, own));
    }
    one.sequence = at->second;

    visit_symbols(out.sequences[one.sequence], [&](std::uint32_t symbol, std::uint64_t times) {
      const auto& operation = out.operations[symbol];
      if (!is_message(operation.kind))
        return;
      one.messages += times;
      one.bytes += times * operation.values[find_parameter(operation.kind, Parameter::bytes)];
    });
    for (const auto& gap : cluster.gaps)
      if (gap.ticks[m] != 0)
        one.gaps.push_back({gap.path, gap.ticks[m]});
    out.ranks.push_back(std::move(one));
  }
}

}  // namespace

std::uint64_t find_value(const Messages& messages, const ClusterOperation& operation,
                         Parameter parameter, std::uint32_t rank) {
  const auto column = operation.columns[find_parameter(operation.kind, parameter)];
  return find_value(messages.columns[column], rank, messages.size);
}

std::uint8_t find_last_thread(const Messages& messages, const MainCluster& cluster) {
  std::uint8_t last = 0;
  for (const auto& node : cluster.sequence)
    if (!node.is_loop())
      last = std::max(last, messages.operations[node.symbol].thread);
  return last;
}

Communication decode_messages(const Messages& messages, std::size_t most_nodes) {
  Communication out;
  out.size = messages.size;
  out.endpoints = messages.endpoints;
  out.nodes = messages.nodes;
  out.communicators = messages.communicators;
  out.definitions = messages.definitions;
  out.names = messages.names;
  out.paths = messages.paths;

  OperationNumbers numbers(out.operations);
  std::size_t nodes = 0;
  for (const auto& cluster : messages.clusters)
    add_cluster(messages, cluster, numbers, most_nodes, nodes, out);

  const auto by_rank = [](const auto& a, const auto& b) { return a.rank < b.rank; };
  std::sort(out.ranks.begin(), out.ranks.end(), by_rank);
  for (const auto& [ranks, locations] : messages.threads)
    for (std::size_t m = 0; m < ranks.size(); ++m) {
      RankOperations wanted;
      wanted.rank = ranks[m];
      const auto at = std::lower_bound(out.ranks.begin(), out.ranks.end(), wanted, by_rank);
      if (at != out.ranks.end() && at->rank == wanted.rank)
        at->threads.push_back(locations[m]);
    }
  return out;
}

}  // namespace tracefold
