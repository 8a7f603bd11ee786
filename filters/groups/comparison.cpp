#include "filters/groups/comparison.hpp"

#include "base/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

bool is_artificial(const Function& function) {
  constexpr std::array names{"PARALLEL", ".TAU application", "Working"};
  return function.artificial || std::find(names.begin(), names.end(), function.name) != names.end();
}

std::vector<FunctionIndex> ignored_functions(const Plan& plan, const Comparison& comparison) {
  std::vector<bool> bottom(plan.functions.size()), calls(plan.functions.size());

  for (const auto& intent : plan.intents)
    for (auto [caller, callee] : intent.set.pairs) {
      if (caller == virtual_root)
        bottom[callee] = true;
      else
        calls[caller] = true;
    }

  std::vector<FunctionIndex> ignored;

  for (FunctionIndex f = 0; f < plan.functions.size(); ++f) {
    const bool is_root =
        comparison.ignore_root && bottom[f] && calls[f] && is_artificial(plan.functions[f]);
    if (is_root || matches_any(comparison.ignore, plan.functions[f].name))
      ignored.push_back(f);
  }

  return ignored;
}

namespace {

std::array<std::string, 2> names_of(const Process& process) {
  const std::string name(without_count(process.name));
  return {name, std::string(without_count(process.location_group_name)) + "/" + name};
}

}  // namespace

bool is_combined(const Process& process, const std::vector<std::string>& patterns) {
  if (patterns.empty())
    return false;
  const auto names = names_of(process);
  return matches_any(patterns, names[0]) || matches_any(patterns, names[1]);
}

std::vector<CallPair> without_functions(const std::vector<CallPair>& pairs,
                                        const std::vector<FunctionIndex>& ignored) {
  if (ignored.empty())
    return pairs;

  const auto is_ignored = [&](FunctionIndex f) {
    return std::binary_search(ignored.begin(), ignored.end(), f);
  };
  const auto calls_of = [&](FunctionIndex caller) {
    return std::equal_range(pairs.begin(), pairs.end(), CallPair{caller, 0},
                            [](const auto& a, const auto& b) { return a.caller < b.caller; });
  };

  std::vector<CallPair> left;
  std::set<FunctionIndex> seen;  // ignored functions below the caller at hand
  std::vector<FunctionIndex> open;

  for (auto at = pairs.begin(); at != pairs.end();) {
    const auto caller = at->caller;
    const auto end = calls_of(caller).second;

    const auto follow = [&](auto first, auto last) {
      for (; first != last; ++first) {
        if (!is_ignored(first->callee))
          left.push_back({caller, first->callee});
        else if (seen.insert(first->callee).second)
          open.push_back(first->callee);
      }
    };

    if (!is_ignored(caller))
      follow(at, end);

    while (!open.empty()) {
      const auto [first, last] = calls_of(open.back());
      open.pop_back();
      follow(first, last);
    }

    seen.clear();
    at = end;
  }

  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());

  return left;
}

namespace {

using Intents = std::vector<std::uint32_t>;  // ascending

void make_distinct(auto& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// For each process the intents that it is compared by: its own, or those of all
// that it is combined with.
std::vector<Intents> compared_intents(const Plan& plan, const Comparison& comparison) {
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // location group, type
  std::vector<std::optional<Place>> places;
  std::map<Place, Intents> combined;

  for (const auto& p : plan.processes) {
    const auto& own = plan.intents[p.intent].set;
    auto& place = places.emplace_back();
    if (own.pairs.empty() || !is_combined(p, comparison.combine))
      continue;
    place = {p.location_group, own.type};
    combined[*place].push_back(p.intent);
  }

  for (auto& [place, intents] : combined)
    make_distinct(intents);

  std::vector<Intents> compared;
  for (std::size_t i = 0; i < places.size(); ++i)
    compared.push_back(places[i] ? combined.at(*places[i]) : Intents{plan.processes[i].intent});

  return compared;
}

std::vector<std::uint64_t> elements(const Plan& plan, const Intents& intents, CompareBy by,
                                    const std::vector<FunctionIndex>& ignored) {
  std::vector<CallPair> pairs;
  for (auto i : intents)
    pairs.insert(pairs.end(), plan.intents[i].set.pairs.begin(), plan.intents[i].set.pairs.end());

  make_distinct(pairs);
  std::vector<std::uint64_t> set;
  for (auto [caller, callee] : without_functions(pairs, ignored))
    set.push_back(by == CompareBy::pairs ? std::uint64_t{caller} << 32 | callee : callee);

  make_distinct(set);

  return set;
}

}  // namespace

std::vector<ComparedSet> compared_sets(const Plan& plan, const Comparison& comparison,
                                       const std::vector<FunctionIndex>& ignored) {
  const auto compared = compared_intents(plan, comparison);
  std::vector<ComparedSet> sets;
  std::map<Intents, std::size_t> of_intents;
  std::map<std::tuple<std::uint64_t, int, std::uint32_t>, std::size_t> kinds;
  std::map<std::pair<std::size_t, std::vector<std::uint64_t>>, std::size_t>
      known;  // kind and elements

  const auto number_of = [&](const Intents& intents) {
    const auto& first = plan.intents[intents.front()].set;
    auto set = elements(plan, intents, comparison.by, ignored);
    const int what = first.pairs.empty() ? 2 : set.empty() ? 1 : 0;
    const auto kind =
        kinds.try_emplace({first.type, what, what == 2 ? intents.front() : 0}, kinds.size())
            .first->second;
    const auto [at, fresh] = known.try_emplace({kind, set}, sets.size());
    if (fresh)
      sets.push_back({std::move(set), kind, {}});

    return at->second;
  };

  for (std::size_t i = 0; i < compared.size(); ++i) {
    auto at = of_intents.find(compared[i]);
    if (at == of_intents.end())
      at = of_intents.emplace(compared[i], number_of(compared[i])).first;
    sets[at->second].members.push_back(i);
  }

  return sets;
}

const Function& callee_of_element(const Plan& plan, std::uint64_t element) {
  return plan.functions[element & 0xffffffff];
}

std::string name_of_element(const Plan& plan, std::uint64_t element, CompareBy by) {
  const auto& callee = callee_of_element(plan, element).name;
  if (by == CompareBy::functions)
    return callee;
  const auto caller = static_cast<FunctionIndex>(element >> 32);
  return (caller == virtual_root ? std::string() : plan.functions[caller].name + " ") + "-> " +
         callee;
}

std::vector<std::string> idle_patterns(const Plan& plan, const Comparison& comparison) {
  std::vector<std::string> idle;
  for (const auto& glob : comparison.ignore)
    if (std::none_of(plan.functions.begin(), plan.functions.end(),
                     [&](const auto& f) { return matches_glob(glob, f.name); }))
      idle.push_back(fmt::format("no function matches '{}', which is to be ignored", glob));

  for (const auto& glob : comparison.combine)
    if (std::none_of(plan.processes.begin(), plan.processes.end(),
                     [&](const auto& p) { return is_combined(p, {glob}); }))
      idle.push_back(fmt::format("no process matches '{}', which is to be combined", glob));

  return idle;
}

}  // namespace tracefold
