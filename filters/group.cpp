#include "filters/group.hpp"

#include "lattice/similarity.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

// The functions with the most time over all processes of each intent.
std::vector<std::vector<FunctionIndex>> largest_functions(std::size_t intents, const std::vector<Process>& processes,
                                                          const std::vector<Profile>& profiles) {
  std::vector<std::map<FunctionIndex, std::uint64_t>> totals(intents);
  for (std::size_t i = 0; i < profiles.size(); ++i)
    for (const auto& f : profiles[i].functions) totals[processes[i].intent][f.function] += f.exclusive;
  std::vector<std::vector<FunctionIndex>> largest(intents);
  for (std::size_t k = 0; k < intents; ++k) {
    std::vector<std::pair<std::uint64_t, FunctionIndex>> order;
    for (auto [function, ticks] : totals[k]) order.emplace_back(ticks, function);
    std::sort(order.begin(), order.end(), [](auto a, auto b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    order.resize(std::min(order.size(), profile_functions));
    for (auto [ticks, function] : order) largest[k].push_back(function);
  }
  return largest;
}

std::vector<lattice::Element> elements(const std::vector<CallPair>& pairs) {
  std::vector<lattice::Element> set;
  set.reserve(pairs.size());
  for (auto [caller, callee] : pairs) set.push_back(lattice::Element{caller} << 32 | callee);
  return set;
}

// Intents may be merged where they are of one type and both call something;
// where nothing is called, only equal ones are one group.
std::vector<std::size_t> merge_kinds(const std::vector<PlanIntent>& intents) {
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> kinds;
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < intents.size(); ++i)
    of.push_back(kinds.try_emplace({intents[i].set.type, intents[i].set.pairs.empty() ? i + 1 : 0}, kinds.size()).first->second);
  return of;
}

}  // namespace

void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes,
                     std::vector<Profile> profiles) {
  std::map<Intent, std::uint32_t> known;
  plan.intents.clear();
  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto [at, fresh] = known.try_emplace(profiles[i].intent, static_cast<std::uint32_t>(known.size()));
    if (fresh) plan.intents.push_back({profiles[i].intent, {}});
    processes[i].intent = at->second;
  }
  const auto largest = largest_functions(plan.intents.size(), processes, profiles);
  for (std::size_t k = 0; k < largest.size(); ++k) plan.intents[k].functions = largest[k];
  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto& p = processes[i];
    std::uint64_t all = 0, listed = 0;
    for (const auto& f : profiles[i].functions) all += f.exclusive;
    for (auto function : plan.intents[p.intent].functions) {
      auto at = std::lower_bound(profiles[i].functions.begin(), profiles[i].functions.end(), function,
                                 [](const FunctionTime& f, FunctionIndex index) { return f.function < index; });
      const bool called = at != profiles[i].functions.end() && at->function == function;
      p.exclusive.push_back(called ? at->exclusive : 0);
      listed += p.exclusive.back();
    }
    p.rest = all - listed;
  }
  plan.functions = std::move(functions);
  plan.processes = std::move(processes);
}

void group(Plan& plan, double threshold) {
  const std::size_t n = plan.intents.size();
  std::vector<std::vector<std::size_t>> members(n);
  std::vector<std::uint64_t> weights(n);
  for (std::size_t i = 0; i < plan.processes.size(); ++i) {
    members[plan.processes[i].intent].push_back(i);
    weights[plan.processes[i].intent] += plan.processes[i].weight;
  }
  std::vector<std::vector<lattice::Element>> sets;
  for (const auto& intent : plan.intents) sets.push_back(elements(intent.set.pairs));
  auto kinds = merge_kinds(plan.intents);
  if (threshold >= 1)  // equal sets of different kinds of process stay apart, and no two intents are equal
    for (std::size_t i = 0; i < n; ++i) kinds[i] = i;
  const auto merged = lattice::merge_similar(lattice::similarity_matrix(sets), weights, kinds, threshold);
  plan.threshold = std::min(threshold, 1.0);
  auto& groups = plan.groups.emplace();
  for (std::size_t g = 0; g < merged.groups.size(); ++g) {
    Group one;
    for (auto intent : merged.groups[g]) {
      one.intents.push_back(static_cast<std::uint32_t>(intent));
      one.members.insert(one.members.end(), members[intent].begin(), members[intent].end());
    }
    std::sort(one.members.begin(), one.members.end());
    for (std::size_t other = 0; other < merged.groups.size(); ++other) one.similarity.push_back(merged.similarity.at(g, other));
    groups.push_back(std::move(one));
  }
  plan.representatives.reset();
}

}  // namespace tracefold
