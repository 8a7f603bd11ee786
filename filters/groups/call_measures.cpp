#include "filters/groups/call_measures.hpp"

#include "base/sort_and_unite.hpp"
#include "lattice/closure.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace tracefold {

bool is_artificial(const Function& function) {
  constexpr std::array names{"PARALLEL", ".TAU application", "Working"};
  return function.is_artificial() ||
         std::find(names.begin(), names.end(), function.name) != names.end();
}

std::vector<FunctionIndex> find_ignored_functions(const Plan& plan, const Comparison& comparison) {
  std::vector<bool> is_bottom(plan.functions.size()), is_caller(plan.functions.size());

  for (const auto& intent : plan.intents)
    for (auto [caller, callee] : intent.set.pairs) {
      if (caller == virtual_root)
        is_bottom[callee] = true;
      else
        is_caller[caller] = true;
    }

  std::vector<FunctionIndex> ignored;

  for (FunctionIndex f = 0; f < plan.functions.size(); ++f) {
    const auto& function = plan.functions[f];
    const bool is_ignored_root =
        comparison.ignore_root && is_bottom[f] && is_caller[f] && is_artificial(function);

    if (is_ignored_root || matches_any(comparison.ignore, function))
      ignored.push_back(f);
  }

  return ignored;
}

std::vector<CallPair> remove_functions(const std::vector<CallPair>& pairs,
                                       const std::vector<FunctionIndex>& ignored) {
  if (ignored.empty())
    return pairs;

  const auto is_ignored = [&](FunctionIndex function) {
    return std::binary_search(ignored.begin(), ignored.end(), function);
  };
  const auto find_calls = [&](FunctionIndex caller) {
    return std::equal_range(pairs.begin(), pairs.end(), CallPair{caller, 0},
                            [](const auto& a, const auto& b) { return a.caller < b.caller; });
  };

  std::vector<CallPair> remaining;
  std::set<FunctionIndex> reached;  // the ignored functions found below the current caller
  std::vector<FunctionIndex> open;  // those of them whose callees are still to be followed

  for (auto at = pairs.begin(); at != pairs.end();) {
    const auto caller = at->caller;
    const auto end = find_calls(caller).second;

    const auto follow = [&](auto first, auto last) {
      for (; first != last; ++first) {
        if (!is_ignored(first->callee))
          remaining.push_back({caller, first->callee});
        else if (reached.insert(first->callee).second)
          open.push_back(first->callee);
      }
    };

    if (!is_ignored(caller))
      follow(at, end);

    while (!open.empty()) {
      const auto [first, last] = find_calls(open.back());
      open.pop_back();
      follow(first, last);
    }

    reached.clear();
    at = end;
  }

  sort_and_unite(remaining);

  return remaining;
}

namespace {

lattice::Set pack(const std::vector<CallPair>& pairs) {
  lattice::Set set;
  set.reserve(pairs.size());
  for (auto [caller, callee] : pairs)
    set.push_back(lattice::to_element(caller, callee));

  return set;
}

}  // namespace

lattice::Set make_call_pair_set(const Intent& intent) {
  return pack(intent.pairs);
}

lattice::Set CallMeasure::attributes(const std::vector<std::uint32_t>& intents) const {
  auto pairs = plan_.intents[intents.front()].set.pairs;
  if (intents.size() > 1) {
    for (auto intent : intents) {
      const auto& own = plan_.intents[intent].set.pairs;
      pairs.insert(pairs.end(), own.begin(), own.end());
    }
    sort_and_unite(pairs);
  }

  pairs = remove_functions(pairs, ignored_);
  if (by_ != CompareBy::functions)
    return pack(pairs);

  lattice::Set called;
  for (const auto& pair : pairs)
    called.push_back(pair.callee);
  sort_and_unite(called);

  return called;
}

lattice::Set CallMeasure::add_implied(const lattice::Set& attributes) const {
  return by_ == CompareBy::functions ? attributes : lattice::find_closure(attributes);
}

std::string CallMeasure::name(lattice::Element attribute) const {
  const auto& callee = get_callee(attribute).shown_name();
  if (by_ == CompareBy::functions)
    return callee;

  const auto caller = static_cast<FunctionIndex>(attribute >> 32);
  return (caller == virtual_root ? "" : plan_.functions[caller].shown_name() + " ") + "-> " +
         callee;
}

std::uint64_t CallMeasure::paradigm(lattice::Element attribute) const {
  return get_callee(attribute).paradigm;
}

const Function& CallMeasure::get_callee(lattice::Element attribute) const {
  return plan_.functions[attribute & 0xffffffff];
}

}  // namespace tracefold
