#include "filters/group.hpp"

#include "lattice/similarity.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tracefold {

namespace {

// Of the functions that an intent calls the places of those with the most time
// over all of its processes.
std::vector<std::vector<std::size_t>> largest_functions(const Profiles& profiles) {
  std::vector<std::vector<std::uint64_t>> totals(profiles.intents.size());
  for (const auto& p : profiles.processes) {
    auto& total = totals[p.intent];
    total.resize(p.exclusive.size());
    for (std::size_t f = 0; f < total.size(); ++f) total[f] += p.exclusive[f];
  }
  std::vector<std::vector<std::size_t>> largest;
  for (const auto& total : totals) {
    std::vector<std::size_t> order(total.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return total[a] > total[b]; });
    order.resize(std::min(order.size(), profile_functions));
    largest.push_back(std::move(order));
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

void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes, Profiles profiles) {
  const auto largest = largest_functions(profiles);
  plan.intents.clear();
  for (std::size_t k = 0; k < largest.size(); ++k) {
    const auto called = functions_called(profiles.intents[k]);
    PlanIntent intent{std::move(profiles.intents[k]), {}};
    for (auto place : largest[k]) intent.functions.push_back(called[place]);
    plan.intents.push_back(std::move(intent));
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto& p = processes[i];
    auto& profile = profiles.processes[i];
    p.intent = profile.intent;
    p.exclusive.reserve(largest[p.intent].size());
    p.rest = std::accumulate(profile.exclusive.begin(), profile.exclusive.end(), std::uint64_t{0});
    for (auto place : largest[p.intent]) {
      p.exclusive.push_back(profile.exclusive[place]);
      p.rest -= profile.exclusive[place];
    }
    profile.exclusive = {};
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
