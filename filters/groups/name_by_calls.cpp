#include "filters/groups/name_by_calls.hpp"

#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// Longer names of functions are shortened, so that no plan refuses the name of a group.
constexpr std::size_t longest_called_name = 2000;

// A name; for a call pair, the name of the function that is called, and of its caller.
using Key = std::uint64_t;
constexpr std::uint32_t no_name = 0xffffffff;
constexpr unsigned caller_shift = 32;

// The functions of a plan by their names.
struct NamedFunctions {
  std::vector<std::uint32_t> name_of;  // by function; no_name of what is not named
  std::vector<std::string> names;
  std::vector<bool> is_library;      // by name: all functions of that name are
  std::vector<std::uint64_t> times;  // by name: ticks of all processes, as far as they are known
};

bool is_of_library(const Function& function) {
  return function.paradigm != otf2_value::paradigm_unknown &&
         function.paradigm != otf2_value::paradigm_user &&
         function.paradigm != otf2_value::paradigm_compiler;
}

NamedFunctions name_functions(const Plan& plan) {
  NamedFunctions named;
  std::unordered_map<std::string, std::uint32_t> known;
  for (const auto& function : plan.functions) {
    auto name = function.is_artificial()
                    ? std::string()
                    : shorten(make_printable(function.shown_name()), longest_called_name);
    if (name.empty()) {
      named.name_of.push_back(no_name);
      continue;
    }

    const auto next = static_cast<std::uint32_t>(named.names.size());
    const auto [at, is_new] = known.try_emplace(name, next);
    if (is_new) {
      named.names.push_back(std::move(name));
      named.is_library.push_back(true);
    }
    named.name_of.push_back(at->second);
    named.is_library[at->second] = named.is_library[at->second] && is_of_library(function);
  }

  named.times.resize(named.names.size());
  for (const auto& process : plan.processes) {
    const auto& functions = plan.intents[process.intent].functions;
    for (std::size_t f = 0; f < std::min(functions.size(), process.exclusive.size()); ++f)
      if (const auto name = named.name_of[functions[f]]; name != no_name)
        named.times[name] += process.exclusive[f];
  }

  return named;
}

// What processes of a group call: any of them, and each of them. Ascending.
struct GroupCalls {
  std::vector<Key> any, all;
};

enum class Called { functions, pairs };

std::vector<Key> list_keys(const Intent& intent, const NamedFunctions& named, Called called) {
  std::vector<Key> keys;
  for (const auto [caller, callee] : intent.pairs) {
    const auto name = named.name_of[callee];
    if (name == no_name)
      continue;
    if (called == Called::functions)
      keys.push_back(name);
    else if (caller != virtual_root && named.name_of[caller] != no_name)
      keys.push_back(static_cast<Key>(named.name_of[caller]) << caller_shift | name);
  }
  sort_and_unite(keys);

  return keys;
}

std::vector<GroupCalls> list_calls(const Plan& plan, const NamedFunctions& named, Called called) {
  std::vector<std::vector<Key>> of_intents;
  for (const auto& intent : plan.intents)
    of_intents.push_back(list_keys(intent.set, named, called));

  std::vector<GroupCalls> calls;
  for (const auto& group : *plan.groups) {
    auto& of_group = calls.emplace_back();
    for (auto intent : group.intents)
      of_group.any.insert(of_group.any.end(), of_intents[intent].begin(), of_intents[intent].end());
    std::sort(of_group.any.begin(), of_group.any.end());
    for (auto at = of_group.any.begin(); at != of_group.any.end();) {
      const auto end = std::upper_bound(at, of_group.any.end(), *at);
      if (static_cast<std::size_t>(end - at) == group.intents.size())
        of_group.all.push_back(*at);
      at = end;
    }
    sort_and_unite(of_group.any);
  }

  return calls;
}

// The kind of a group, of which others may do what it lacks: its location type, and whether its
// members are the first threads of their processes.
std::vector<std::size_t> number_kinds(const Plan& plan) {
  std::map<std::pair<std::uint64_t, bool>, std::size_t> known;
  std::vector<std::size_t> numbers;
  for (const auto& group : *plan.groups) {
    const bool are_first =
        std::all_of(group.members.begin(), group.members.end(),
                    [&](auto member) { return plan.processes[member].thread == 0; });
    const auto type = plan.intents[plan.processes[group.members.front()].intent].set.type;
    numbers.push_back(known.try_emplace({type, are_first}, known.size()).first->second);
  }

  return numbers;
}

// Groups that have something: how many, and the sum of their numbers, which tells the only one.
struct CallOwners {
  std::size_t groups = 0;
  std::size_t sum = 0;

  void add(std::size_t group) {
    ++groups;
    sum += group;
  }
};

// By group, what only it has.
std::vector<std::vector<Key>> find_own(const std::vector<GroupCalls>& calls) {
  std::unordered_map<Key, CallOwners> owners;
  for (std::size_t g = 0; g < calls.size(); ++g)
    for (auto key : calls[g].any)
      owners[key].add(g);

  std::vector<std::vector<Key>> own(calls.size());
  for (std::size_t g = 0; g < calls.size(); ++g)
    std::copy_if(calls[g].all.begin(), calls[g].all.end(), std::back_inserter(own[g]),
                 [&](auto key) { return owners.at(key).groups == 1; });
  return own;
}

// By group, what it lacks and all others of its kind have.
std::vector<std::vector<Key>> find_lacking(const std::vector<GroupCalls>& calls,
                                           const std::vector<std::size_t>& kinds) {
  std::map<std::size_t, CallOwners> members;  // by kind
  std::map<std::size_t, std::unordered_map<Key, CallOwners>> owners;
  for (std::size_t g = 0; g < calls.size(); ++g) {
    members[kinds[g]].add(g);
    for (auto key : calls[g].all)
      owners[kinds[g]][key].add(g);
  }

  std::vector<std::vector<Key>> lacking(calls.size());
  for (const auto& [kind, all] : members) {
    if (all.groups < 2)
      continue;
    for (const auto& [key, having] : owners[kind]) {
      if (having.groups + 1 != all.groups)
        continue;
      const auto g = all.sum - having.sum;
      if (!std::binary_search(calls[g].any.begin(), calls[g].any.end(), key))
        lacking[g].push_back(key);
    }
  }
  return lacking;
}

std::uint32_t find_callee(Key key) {
  return static_cast<std::uint32_t>(key);
}
std::uint32_t find_caller(Key key) {
  return static_cast<std::uint32_t>(key >> caller_shift);
}

// The most telling ones come first.
void sort_keys(std::vector<Key>& keys, const NamedFunctions& named) {
  const auto order = [&](Key key) {
    const auto callee = find_callee(key);
    return std::tuple(bool(named.is_library[callee]), ~named.times[callee],
                      std::string_view(named.names[callee]),
                      std::string_view(named.names[find_caller(key)]));
  };
  std::sort(keys.begin(), keys.end(), [&](Key a, Key b) { return order(a) < order(b); });
}

// "calls a and b"; "" where there are no keys.
std::string describe_keys(const std::string& verb, std::vector<Key> keys,
                          const NamedFunctions& named, Called called) {
  if (keys.empty())
    return {};
  sort_keys(keys, named);
  auto out = verb + " " + named.names[find_callee(keys.front())];
  if (called == Called::pairs)
    return out + " in " + named.names[find_caller(keys.front())];

  return keys.size() == 1 ? out : out + " and " + named.names[find_callee(keys[1])];
}

}  // namespace

std::vector<CallWords> list_call_words(const Plan& plan) {
  const auto named = name_functions(plan);
  const auto kinds = number_kinds(plan);
  std::vector<CallWords> words(plan.groups->size());

  for (auto called : {Called::functions, Called::pairs}) {
    const auto calls_of = list_calls(plan, named, called);
    const auto own = find_own(calls_of);
    const auto lacking = find_lacking(calls_of, kinds);
    for (std::size_t g = 0; g < words.size(); ++g) {
      auto calls = describe_keys("calls", own[g], named, called);
      if (called == Called::functions)
        words[g].calls = std::move(calls);
      else if (!calls.empty())
        words[g].others.push_back(std::move(calls));
      if (auto lacks = describe_keys("lacks", lacking[g], named, called); !lacks.empty())
        words[g].others.push_back(std::move(lacks));
    }
  }

  return words;
}

}  // namespace tracefold
