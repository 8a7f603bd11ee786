#include "filters/messages/signature_clusters.hpp"

#include "base/error.hpp"
#include "base/prime_field.hpp"
#include "filters/messages/align_ranks.hpp"
#include "filters/messages/choose_column.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// What of an operation is compared: equal numbers where it is equal.
using Compared = std::vector<std::uint32_t>;

// Numbers of call paths without some functions, by path.
std::vector<std::uint32_t> leave_out(const Communication& communication,
                                     const std::set<std::string>& ignored) {
  std::map<NamedPath, std::uint32_t> known;
  std::vector<std::uint32_t> numbers{0};

  for (std::size_t p = 1; p < communication.paths.size(); ++p) {
    const auto [caller, name] = communication.paths[p];  // callers stand before what they call
    if (ignored.contains(communication.names[name])) {
      numbers.push_back(numbers[caller]);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(known.size() + 1);
    numbers.push_back(known.try_emplace({numbers[caller], name}, next).first->second);
  }
  return numbers;
}

struct Aspects {
  const std::vector<std::uint32_t>& paths;  // what each path counts as
  bool peers = false, operations = false, calls = false;
};

Compared compare_operations(const Communication& communication, const Aspects& aspects) {
  using Key =
      std::tuple<EventKind, std::uint8_t, bool, std::uint32_t, std::uint64_t, std::uint64_t>;
  std::map<Key, std::uint32_t> numbers;
  Compared compared;

  for (const auto& one : communication.operations) {
    const auto value = [&](Parameter parameter) {
      const auto at = find_parameter(one.kind, parameter);
      return at == most_parameters ? 0 : one.values[at] + 1;
    };
    const Key key{one.kind,
                  one.thread,
                  aspects.calls && one.is_in_same_call,
                  aspects.paths[one.path],
                  aspects.peers ? value(Parameter::peer) : 0,
                  aspects.operations ? unpack_first(value(Parameter::operation)) : 0};
    const auto next = static_cast<std::uint32_t>(numbers.size());
    compared.push_back(numbers.try_emplace(key, next).first->second);
  }
  return compared;
}

// Equal sequences have equal hashes, however they are folded: what is hashed is how often each
// operation comes, and in which order the first ones do.
std::uint64_t hash_sequence(const FoldedSequence& sequence, const Compared& compared) {
  constexpr std::size_t most_in_order = 64;
  std::uint64_t hash = 0;
  visit_symbols(sequence, [&](auto symbol, auto times) {
    hash += prime_field::spread(compared[symbol]) * times;
  });

  SequenceCursor cursor(sequence);
  for (std::size_t k = 0; k < most_in_order && !cursor.at_end(); ++k, cursor.advance())
    hash = prime_field::spread(hash + compared[cursor.symbol()]);

  return hash;
}

bool are_equal(const FoldedSequence& a, const FoldedSequence& b, const Compared& compared) {
  const bool equal_nodes =
      std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
        return x.body == y.body && x.count == y.count && compared[x.symbol] == compared[y.symbol];
      });
  if (equal_nodes)
    return true;

  SequenceCursor left(a), right(b);
  for (; !left.at_end() && !right.at_end(); left.advance(), right.advance())
    if (compared[left.symbol()] != compared[right.symbol()])
      return false;
  return left.at_end() && right.at_end();
}

// For each distinct sequence a number; equal ones have the same.
std::vector<std::uint32_t> number_sequences(const Communication& communication,
                                            const Compared& compared) {
  std::vector<std::uint32_t> numbers;
  std::vector<const FoldedSequence*> first;  // of each number
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash;

  for (const auto& sequence : communication.sequences) {
    auto& alike = by_hash[hash_sequence(sequence, compared)];
    const auto at = std::find_if(alike.begin(), alike.end(), [&](auto number) {
      return are_equal(*first[number], sequence, compared);
    });
    if (at == alike.end()) {
      numbers.push_back(static_cast<std::uint32_t>(first.size()));
      alike.push_back(numbers.back());
      first.push_back(&sequence);
    } else {
      numbers.push_back(*at);
    }
  }
  return numbers;
}

// The same where only how often operations come counts.
std::vector<std::uint32_t> number_counts(const Communication& communication,
                                         const Compared& compared) {
  std::vector<std::uint32_t> numbers;
  std::map<std::map<std::uint32_t, std::uint64_t>, std::uint32_t> known;

  for (const auto& sequence : communication.sequences) {
    std::map<std::uint32_t, std::uint64_t> counts;
    visit_symbols(sequence, [&](auto symbol, auto times) { counts[compared[symbol]] += times; });
    const auto next = static_cast<std::uint32_t>(known.size());
    numbers.push_back(known.try_emplace(std::move(counts), next).first->second);
  }
  return numbers;
}

std::vector<std::uint32_t> number_sequences(const Communication& communication,
                                            const Aspects& aspects, bool keep_order) {
  const auto compared = compare_operations(communication, aspects);
  return keep_order ? number_sequences(communication, compared)
                    : number_counts(communication, compared);
}

// Numbers clusters by their first ranks. Equal keys are one cluster, damaged ranks alone.
template <class FindKey>
std::pair<std::vector<std::uint32_t>, std::uint32_t> number_ranks(
    const Communication& communication, FindKey&& find_key) {
  std::map<std::decay_t<decltype(find_key(0))>, std::uint32_t> known;
  std::vector<std::uint32_t> numbers;
  std::uint32_t next = 0;

  for (std::size_t r = 0; r < communication.ranks.size(); ++r) {
    if (communication.ranks[r].damaged) {
      numbers.push_back(next++);
      continue;
    }
    const auto [at, is_new] = known.try_emplace(find_key(r), next);
    next += is_new;
    numbers.push_back(at->second);
  }
  return {std::move(numbers), next};
}

// For each rank its peers and operations where no formula tells the peers of its main cluster.
std::vector<std::vector<std::uint64_t>> list_unknown_peers(const Communication& communication,
                                                           const std::vector<std::uint32_t>& main,
                                                           std::uint32_t mains) {
  std::vector<std::vector<std::uint64_t>> unknown(communication.ranks.size());
  std::vector<std::vector<std::size_t>> members(mains);
  for (std::size_t r = 0; r < main.size(); ++r)
    members[main[r]].push_back(r);

  const ColumnChooser chooser(communication.size, communication.grids);
  for (auto& cluster : members) {
    const auto aligned = align_ranks(communication, std::move(cluster));
    const auto& kept = aligned.members;
    std::vector<std::uint32_t> ranks;
    for (auto m : kept)
      ranks.push_back(static_cast<std::uint32_t>(communication.ranks[m].rank));

    for (std::size_t row = 0; row < aligned.rows(); ++row) {
      const auto& first = aligned.operation(communication, row, 0);
      const auto peer = find_parameter(first.kind, Parameter::peer);
      const auto what = find_parameter(first.kind, Parameter::operation);
      std::vector<std::uint64_t> peers, world;

      for (std::size_t m = 0; m < kept.size(); ++m) {
        const auto& values = aligned.operation(communication, row, m).values;
        if (what != most_parameters)
          unknown[kept[m]].push_back(unpack_first(values[what]));
        if (peer == most_parameters)
          continue;
        peers.push_back(values[peer]);
        world.push_back(is_rank(values[peer])
                            ? (values[peer] + ranks[m]) % std::max(communication.size, 1u)
                            : values[peer]);
      }
      if (peers.empty())
        continue;
      if (chooser.choose(ranks, world, true).form != ColumnForm::table)
        continue;
      for (std::size_t m = 0; m < kept.size(); ++m)
        unknown[kept[m]].push_back(peers[m]);
    }
  }
  return unknown;
}

// Parts each cluster by bytes per message: in the order of ranks, the first part whose running
// mean is near takes a rank.
void part_by_bytes(const Communication& communication, RankClusters& clusters) {
  struct BytesPart {
    std::uint32_t number;
    double sum;
    double ranks;
  };
  std::vector<std::vector<BytesPart>> parts(clusters.subs);
  std::uint32_t next = 0;

  for (std::size_t r = 0; r < clusters.sub.size(); ++r) {
    const auto& rank = communication.ranks[r];
    const auto mean = rank.messages == 0
                          ? 0.0
                          : static_cast<double>(rank.bytes) / static_cast<double>(rank.messages);
    auto& own = parts[clusters.sub[r]];
    auto part = std::find_if(own.begin(), own.end(), [&](const auto& p) {
      const auto running = p.sum / p.ranks;
      return std::abs(mean - running) <= bytes_tolerance * running;
    });

    if (part == own.end())
      part = own.insert(own.end(), {next++, 0, 0});
    part->sum += mean;
    part->ranks += 1;
    clusters.sub[r] = part->number;
  }
  clusters.subs = next;
}

// The part of a sequence that is compared. Loops stay as they are folded.
FoldedSequence leave_out_accompanying(std::span<const SequenceNode> nodes,
                                      const std::vector<Operation>& operations) {
  FoldedSequence out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_loop()) {
      if (is_compared(operations[nodes[i].symbol].kind))
        out.push_back(nodes[i]);
      continue;
    }

    const auto body = leave_out_accompanying(nodes.subspan(i + 1, nodes[i].body), operations);
    if (!body.empty()) {
      auto loop = nodes[i];
      loop.body = static_cast<std::uint32_t>(body.size());
      out.push_back(loop);
      out.insert(out.end(), body.begin(), body.end());
    }
    i += nodes[i].body;
  }
  return out;
}

Communication leave_out_accompanying(Communication communication) {
  for (auto& sequence : communication.sequences)
    sequence = leave_out_accompanying(sequence, communication.operations);
  return communication;
}

bool has_accompanying(const Communication& communication) {
  return std::any_of(communication.operations.begin(), communication.operations.end(),
                     [](const auto& one) { return !is_compared(one.kind); });
}

RankClusters find_compared_clusters(const Communication& communication,
                                    const SignatureOptions& options,
                                    const std::set<std::string>& ignored) {
  const bool by_pattern = options.peers == ComparePeers::pattern;
  if (by_pattern && !options.keep_order) {
    throw Error(ErrorKind::usage, "patterns of peers need the order of operations")
        .hint("use `peers` relative or ignore with `order` ignore");
  }

  const auto& ranks = communication.ranks;
  const auto paths = leave_out(communication, ignored);
  const auto main_numbers = number_sequences(communication, {paths}, options.keep_order);
  RankClusters clusters;
  std::tie(clusters.main, clusters.mains) =
      number_ranks(communication, [&](std::size_t r) { return main_numbers[ranks[r].sequence]; });
  clusters.sub = clusters.main;
  clusters.subs = clusters.mains;
  if (options.level == ClusterLevel::main)
    return clusters;

  if (by_pattern) {
    const auto unknown = list_unknown_peers(communication, clusters.main, clusters.mains);
    std::tie(clusters.sub, clusters.subs) = number_ranks(
        communication, [&](std::size_t r) { return std::pair(clusters.main[r], unknown[r]); });
  } else {
    const Aspects aspects{paths, options.peers == ComparePeers::relative, true};
    const auto numbers = number_sequences(communication, aspects, options.keep_order);
    std::tie(clusters.sub, clusters.subs) =
        number_ranks(communication, [&](std::size_t r) { return numbers[ranks[r].sequence]; });
  }
  if (options.compare_bytes)
    part_by_bytes(communication, clusters);
  return clusters;
}

}  // namespace

std::vector<std::uint32_t> find_main_clusters(const Communication& communication) {
  const auto paths = leave_out(communication, {});
  const auto numbers = number_sequences(communication, {.paths = paths, .calls = true}, true);
  return number_ranks(communication,
                      [&](std::size_t r) { return numbers[communication.ranks[r].sequence]; })
      .first;
}

RankClusters find_clusters(const Communication& communication, const SignatureOptions& options,
                           const std::set<std::string>& ignored) {
  return has_accompanying(communication)
             ? find_compared_clusters(leave_out_accompanying(communication), options, ignored)
             : find_compared_clusters(communication, options, ignored);
}

}  // namespace tracefold
