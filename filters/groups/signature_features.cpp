#include "filters/groups/signature_features.hpp"

#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "model/messages/folded_sequence.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Call paths in words: the last two functions that are not ignored, and where that is the same of
// several paths all of them.
class PathWords {
 public:
  PathWords(const Communication& communication, const std::set<std::string>& ignored)
      : communication_(communication) {
    for (const auto& name : communication.names) {
      is_ignored_.push_back(ignored.contains(name));
      names_.push_back(make_printable(name));
    }
    for (std::uint32_t p = 0; p < communication.paths.size(); ++p) {
      whole_.push_back(join(p, deepest));
      const auto [at, is_new] = short_.try_emplace(join(p, 2), whole_.back());
      if (!is_new && at->second != whole_.back())
        at->second.clear();
    }
  }

  // The functions that the words name; empty where these are more than two.
  std::pair<std::string, std::string> find_call(std::uint32_t path) const {
    std::pair<std::string, std::string> call;
    if (short_.at(join(path, 2)).empty())
      return call;
    std::vector<std::uint32_t> names;  // callee, caller
    for (; path != 0 && names.size() < 2; path = communication_.paths[path].caller)
      if (const auto name = communication_.paths[path].name; !is_ignored_[name])
        names.push_back(name);
    if (!names.empty())
      call.second = communication_.names[names[0]];
    if (names.size() > 1)
      call.first = communication_.names[names[1]];
    return call;
  }

  std::string name(std::uint32_t path) const {
    auto out = join(path, 2);
    return short_.at(out).empty() ? whole_[path] : out;
  }

 private:
  static constexpr std::size_t deepest = 16;

  std::string join(std::uint32_t path, std::size_t most) const {
    std::string out;
    for (std::size_t depth = 0; path != 0 && depth < most;
         path = communication_.paths[path].caller) {
      const auto name = communication_.paths[path].name;
      if (is_ignored_[name])
        continue;
      out = names_[name] + (out.empty() ? "" : " → " + out);
      ++depth;
    }
    return out;
  }

  const Communication& communication_;
  std::vector<bool> is_ignored_;
  std::vector<std::string> names_, whole_;  // by name; by path
  // What several paths are called has no whole name.
  std::map<std::string, std::string> short_;
};

// "rank + 1" of a peer that is told relative to the own rank.
std::string name_peer(std::uint64_t peer, std::uint32_t ranks) {
  if (peer == no_root)
    return "all ranks";
  if (!is_rank(peer))
    return "an unknown rank";
  if (peer == 0)
    return "itself";
  return 2 * peer <= ranks ? fmt::format("rank + {}", peer)
                           : fmt::format("rank - {}", ranks - peer);
}

// "allreduce", and where OTF2 names none of a kind's operations "operation 3".
std::string name_operation(EventKind kind, std::uint64_t packed) {
  using enum EventKind;
  const bool is_collective = kind == MpiCollectiveEnd || kind == NonBlockingCollectiveRequest ||
                             kind == NonBlockingCollectiveComplete || kind == RmaCollectiveEnd;
  const auto operation = unpack_first(packed);
  const auto name = is_collective ? name_collective(operation) : std::string_view();
  return name.empty() ? fmt::format("operation {}", operation) : std::string(name);
}

// Features are held in this order: what tells most comes first.
enum class FeatureKind : std::uint8_t { operation, peer, collective, bytes, thread, count };
using FeatureKey = std::pair<FeatureKind, SignatureFeature>;

SignatureFeature describe_peer(const Operation& one, const std::string& path, std::uint64_t peer,
                               std::uint32_t ranks) {
  const auto who = name_peer(peer, ranks) + " in " + path;
  if (is_send(one.kind))
    return {"sends", "does not send", "to " + who};
  if (is_message(one.kind))
    return {"receives", "does not receive", "from " + who};
  return {"accesses", "does not access", "memory of " + who};
}

class FeatureLister {
 public:
  FeatureLister(const Communication& communication, const SignatureOptions& options,
                const std::set<std::string>& ignored)
      : communication_(communication), options_(options), words_(communication, ignored) {}

  // The features of one thread's operations.
  const std::vector<FeatureKey>& list(std::uint32_t sequence, std::uint8_t thread) {
    const auto [at, is_new] = known_.try_emplace({sequence, thread});
    if (is_new)
      at->second = make(communication_.sequences[sequence], thread);
    return at->second;
  }

 private:
  std::vector<FeatureKey> make(const FoldedSequence& sequence, std::uint8_t thread) const {
    // By what is the same in words.
    std::map<std::string, std::uint64_t> counts;
    std::vector<FeatureKey> features;
    std::map<std::uint32_t, std::uint64_t> times_of;  // by operation
    visit_symbols(sequence, [&](auto symbol, auto times) { times_of[symbol] += times; });

    for (const auto& [symbol, times] : times_of) {
      const auto& one = communication_.operations[symbol];
      if (one.thread != thread || !is_compared(one.kind))
        continue;
      const auto path = words_.name(one.path);
      counts[path] += times;
      const auto [caller, callee] = words_.find_call(one.path);
      features.push_back({FeatureKind::operation, {"calls", "lacks", path, true, caller, callee}});
      if (options_.level == ClusterLevel::main)
        continue;

      const auto peer = find_parameter(one.kind, Parameter::peer);
      if (peer != most_parameters && options_.peers == ComparePeers::relative)
        features.push_back(
            {FeatureKind::peer, describe_peer(one, path, one.values[peer], communication_.size)});
      const auto what = find_parameter(one.kind, Parameter::operation);
      if (what != most_parameters)
        features.push_back(
            {FeatureKind::collective,
             {"does", "does not do",
              fmt::format("{} in {}", name_operation(one.kind, one.values[what]), path)}});
    }
    for (const auto& [path, times] : counts)
      features.push_back(
          {FeatureKind::count,
           {"calls", "does not call",
            fmt::format("{} {}", path, times == 1 ? "once" : fmt::format("{} times", times)),
            false}});
    sort_and_unite(features);
    return features;
  }

  const Communication& communication_;
  const SignatureOptions& options_;
  PathWords words_;
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::vector<FeatureKey>> known_;
};

// Sizes that are near each other are one: the mean of each run of sizes in ascending order between
// which there is no larger step than what counts as equal.
std::map<double, double> unite_sizes(const std::map<std::size_t, double>& bytes) {
  std::vector<double> sizes;
  for (const auto& [process, size] : bytes)
    sizes.push_back(size);
  std::sort(sizes.begin(), sizes.end());

  std::map<double, double> united;
  for (std::size_t begin = 0; begin < sizes.size();) {
    auto end = begin + 1;
    double sum = sizes[begin];
    while (end < sizes.size() && sizes[end] - sizes[end - 1] <= bytes_tolerance * sizes[end - 1])
      sum += sizes[end++];
    for (auto k = begin; k < end; ++k)
      united[sizes[k]] = sum / static_cast<double>(end - begin);
    begin = end;
  }
  return united;
}

}  // namespace

SignatureFeatures list_signature_features(const Communication& communication,
                                          const SignatureOptions& options,
                                          const std::set<std::string>& ignored) {
  SignatureFeatures out;
  std::map<std::size_t, std::vector<FeatureKey>> keys;
  FeatureLister lister(communication, options, ignored);
  constexpr std::size_t last_thread = 255;

  for (const auto& rank : communication.ranks)
    for (std::size_t k = 0; k < rank.locations.size() - rank.only_accompanying; ++k) {
      const auto process = rank.locations[k];
      const auto thread = static_cast<std::uint8_t>(std::min(k, last_thread));
      auto& own = keys[process];
      own = lister.list(rank.sequence, thread);
      own.push_back({FeatureKind::thread, {"communicates", "does not communicate", ""}});
      if (rank.damaged)
        own.push_back({FeatureKind::thread, {"has", "has no", "damaged events"}});
      if (k > 0)
        own.push_back({FeatureKind::thread,
                       {"is", "is not", fmt::format("thread {} with operations", k), false}});
      if (rank.messages > 0)
        out.bytes_per_message[process] =
            static_cast<double>(rank.bytes) / static_cast<double>(rank.messages);
    }

  if (options.compare_bytes && options.level == ClusterLevel::sub) {
    const auto united = unite_sizes(out.bytes_per_message);
    for (const auto& [process, bytes] : out.bytes_per_message)
      keys.at(process).push_back(
          {FeatureKind::bytes,
           {"has", "has no",
            fmt::format("messages of {} on average",
                        format_bytes(static_cast<std::uint64_t>(std::lround(united.at(bytes))))),
            false}});
  }

  std::vector<FeatureKey> all;
  for (const auto& [process, own] : keys)
    all.insert(all.end(), own.begin(), own.end());
  sort_and_unite(all);
  for (const auto& [kind, feature] : all)
    out.features.push_back(feature);
  for (const auto& [process, own] : keys) {
    auto& numbers = out.of_process[process];
    for (const auto& key : own)
      numbers.push_back(
          static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), key) - all.begin()));
    sort_and_unite(numbers);
  }

  return out;
}

}  // namespace tracefold
