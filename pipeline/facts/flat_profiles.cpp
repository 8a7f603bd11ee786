#include "pipeline/facts/flat_profiles.hpp"

#include "base/sort_and_unite.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tracefold {

namespace {

// The exclusive times of the functions that a process calls, summed over its paths.
std::vector<std::uint64_t> sum_by_function(const CallPathProfiles& profiles, std::size_t process,
                                           std::size_t time_column,
                                           const std::vector<FunctionIndex>& called) {
  std::vector<std::uint64_t> times(called.size());
  const auto& paths = profiles.shape(process).paths;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const auto function = profiles.paths[paths[k]].function;
    const auto at = std::lower_bound(called.begin(), called.end(), function);
    times[static_cast<std::size_t>(at - called.begin())] += profiles.value(process, k, time_column);
  }

  return times;
}

// By number of those that are alike, the pairs of all of them, ascending.
std::map<std::uint64_t, std::vector<CallPair>> unite_pairs(
    const CallPathProfiles& profiles, const std::vector<std::vector<CallPair>>& of_shapes,
    const std::vector<std::uint64_t>& alike) {
  std::map<std::uint64_t, std::set<std::uint32_t>> shapes;
  for (std::size_t i = 0; i < alike.size(); ++i)
    shapes[alike[i]].insert(profiles.processes[i].shape);
  std::map<std::uint64_t, std::vector<CallPair>> out;
  for (const auto& [number, own] : shapes) {
    auto& pairs = out[number];
    for (auto shape : own)
      pairs.insert(pairs.end(), of_shapes[shape].begin(), of_shapes[shape].end());
    sort_and_unite(pairs);
  }
  return out;
}

}  // namespace

std::vector<CallPair> find_call_pairs(const CallShape& shape, const std::vector<CallPath>& paths) {
  std::vector<CallPair> pairs;
  for (auto path : shape.paths) {
    const auto caller = paths[path].caller;
    pairs.push_back(
        {caller == no_path ? virtual_root : paths[caller].function, paths[path].function});
  }

  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  return pairs;
}

Profiles make_flat_profiles(const CallPathProfiles& profiles, std::size_t time_column,
                            std::vector<Intent> kinds, const std::vector<std::uint64_t>& alike) {
  Profiles out;
  std::vector<std::vector<CallPair>> pairs;
  for (const auto& shape : profiles.shapes)
    pairs.push_back(find_call_pairs(shape, profiles.paths));
  const auto united = unite_pairs(profiles, pairs, alike);

  std::map<Intent, std::uint32_t> known;
  // By shape or by those that are alike, location type and metrics, which an intent is made of.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::vector<std::string>>, std::uint32_t>
      numbers;

  for (std::size_t i = 0; i < kinds.size(); ++i) {
    auto& intent = kinds[i];
    const auto shape = profiles.processes[i].shape;
    const auto [number, is_new] =
        numbers.try_emplace({alike.empty() ? shape : alike[i], intent.type, intent.metrics});
    if (is_new) {
      intent.pairs = alike.empty() ? pairs[shape] : united.at(alike[i]);
      const auto next = static_cast<std::uint32_t>(known.size());
      number->second = known.try_emplace(intent, next).first->second;
      if (number->second == out.intents.size())
        out.intents.push_back(intent);
    }

    const auto called = find_called_functions(out.intents[number->second]);
    out.processes.push_back({number->second, sum_by_function(profiles, i, time_column, called)});
  }

  return out;
}

}  // namespace tracefold
