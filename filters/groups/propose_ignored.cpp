#include "filters/groups/propose_ignored.hpp"

#include "filters/groups/comparison.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace tracefold {

namespace {

// By how much the calls of functions part the sets, largest first; only those that do. The callee
// stands in the lower 32 bits of every attribute.
std::vector<FunctionIndex> rank_functions(const ComparedProcesses& compared) {
  std::map<lattice::Element, std::uint64_t> counts;  // of sets with an attribute
  for (const auto& set : compared.sets)
    for (auto attribute : set.attributes)
      ++counts[attribute];

  std::map<FunctionIndex, std::uint64_t> parts;
  for (const auto& [attribute, count] : counts)
    parts[static_cast<FunctionIndex>(attribute & 0xffffffff)] +=
        std::min(count, compared.sets.size() - count);

  std::vector<std::pair<FunctionIndex, std::uint64_t>> ranked;
  for (const auto& [function, part] : parts)
    if (part > 0)
      ranked.emplace_back(function, part);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });

  std::vector<FunctionIndex> functions;
  for (const auto& [function, part] : ranked)
    functions.push_back(function);
  return functions;
}

// The pattern that matches this name alone.
std::string write_pattern(const std::string& name) {
  std::string pattern;
  for (const char letter : name) {
    if (letter == '*' || letter == '?' || letter == '[' || letter == '\\')
      pattern += '\\';
    pattern += letter;
  }

  return pattern;
}

}  // namespace

std::optional<ProposedFunctions> propose_ignored(const Plan& plan, const Comparison& comparison,
                                                 const ComparedProcesses& compared,
                                                 const CountNodes& count_nodes) {
  const auto ranked = rank_functions(compared);
  auto without = comparison;
  ProposedFunctions proposed;

  for (std::size_t k = 0; k < std::min(most_proposed_functions, ranked.size()); ++k) {
    proposed.names.push_back(write_pattern(plan.functions[ranked[k]].name));
    without.ignore.push_back(proposed.names.back());
    if (const auto nodes = count_nodes(without)) {
      proposed.nodes = *nodes;
      return proposed;
    }
  }

  return std::nullopt;
}

}  // namespace tracefold
