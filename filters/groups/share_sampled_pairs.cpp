#include "filters/groups/share_sampled_pairs.hpp"

#include "base/sort_and_unite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace tracefold {

namespace {

const double least_evidence = -std::log(1e-7);
// Where another process has so many samples, one that has none was not sampled at all.
constexpr std::uint64_t least_samples = 24;

// Processes that do the same, and what their samples show together.
struct Alike {
  std::map<CallPair, std::uint64_t> shown;
  std::uint64_t samples = 0;
  std::vector<Profile*> profiles;

  void add(Profile& profile) {
    for (const auto& one : profile.sampled)
      shown[one.pair] += one.samples;
    samples += profile.samples;
    profiles.push_back(&profile);
  }
};

// Whether chance is no reason that x of n samples show what none of m others does.
bool is_evident(std::uint64_t x, std::uint64_t n, std::uint64_t m) {
  return static_cast<double>(x) * std::log1p(static_cast<double>(m) / static_cast<double>(n)) >=
         least_evidence;
}

// How alike the shares of samples are, from 0 to 1; below 0 where they are told apart.
double compare(const Profile& profile, const Alike& group) {
  // The first of a group has the most.
  const auto most = group.profiles.front()->samples;
  if (profile.samples == 0 && most >= least_samples)
    return -1;

  double common = 0, all = 0;
  const auto share = [](std::uint64_t x, std::uint64_t n) {
    return static_cast<double>(x) / static_cast<double>(n);
  };

  auto one = profile.sampled.begin();
  for (const auto& [pair, x] : group.shown) {
    for (; one != profile.sampled.end() && one->pair < pair; ++one) {
      if (is_evident(one->samples, profile.samples, group.samples))
        return -1;
      all += share(one->samples, profile.samples);
    }

    if (one == profile.sampled.end() || one->pair != pair) {
      if (is_evident(x, group.samples, profile.samples))
        return -1;
      all += share(x, group.samples);
      continue;
    }

    const auto mine = share(one->samples, profile.samples);
    const auto theirs = share(x, group.samples);
    common += std::min(mine, theirs);
    all += std::max(mine, theirs);
    ++one;
  }

  for (; one != profile.sampled.end(); ++one) {
    if (is_evident(one->samples, profile.samples, group.samples))
      return -1;
    all += share(one->samples, profile.samples);
  }

  return all > 0 ? common / all : 1;
}

Alike& choose_group(std::vector<Alike>& groups, const Profile& profile) {
  Alike* best = nullptr;
  double most = -1;

  for (auto& group : groups) {
    const auto likeness = compare(profile, group);
    if (likeness >= 0 && likeness > most) {
      best = &group;
      most = likeness;
    }
  }

  return best ? *best : groups.emplace_back();
}

void set_pairs(Profile& profile, const std::vector<CallPair>& pairs,
               const std::vector<FunctionIndex>& called) {
  std::vector<FunctionTime> functions;
  auto known = profile.functions.begin();

  for (const auto function : called) {
    while (known != profile.functions.end() && known->function < function)
      ++known;
    const bool is_known = known != profile.functions.end() && known->function == function;
    functions.push_back(is_known ? *known : FunctionTime{function, 0, 0});
  }

  profile.functions = std::move(functions);
  profile.intent.pairs = pairs;
  profile.sampled.clear();
}

void share(const Alike& group) {
  auto intent = group.profiles.front()->intent;
  for (const auto& [pair, x] : group.shown)
    intent.pairs.push_back(pair);

  sort_and_unite(intent.pairs);
  const auto called = find_called_functions(intent);
  for (auto* profile : group.profiles)
    set_pairs(*profile, intent.pairs, called);
}

}  // namespace

void share_sampled_pairs(std::span<Profile* const> profiles) {
  std::map<Intent, std::vector<Profile*>> by_intent;
  for (auto* profile : profiles)
    if (profile->samples > 0 || !profile->intent.pairs.empty())
      by_intent[profile->intent].push_back(profile);

  for (auto& [intent, same] : by_intent) {
    std::stable_sort(same.begin(), same.end(),
                     [](const Profile* a, const Profile* b) { return a->samples > b->samples; });

    std::vector<Alike> groups;
    for (auto* profile : same)
      choose_group(groups, *profile).add(*profile);
    for (const auto& group : groups)
      share(group);
  }
}

}  // namespace tracefold
