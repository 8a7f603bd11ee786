#include "filters/comparison.hpp"

#include "model/error.hpp"

#include <fmt/format.h>

namespace tracefold {

Compared compared_of(std::string_view word) {
  if (word == "pairs") return Compared::pairs;
  if (word == "functions") return Compared::functions;
  throw Error(ErrorKind::usage, fmt::format("--by {}: processes are not compared by that", word)).hint("pairs or functions");
}

std::string_view word_of(Compared by) { return by == Compared::pairs ? "pairs" : "functions"; }

lattice::Set compared_set(const PlanIntent& intent, Compared by) {
  lattice::Set set;
  if (by == Compared::functions) {
    const auto called = functions_called(intent.set);
    set.assign(called.begin(), called.end());
    return set;
  }
  set.reserve(intent.set.pairs.size());
  for (auto [caller, callee] : intent.set.pairs) set.push_back(lattice::Element{caller} << 32 | callee);
  return set;
}

lattice::Context compared_context(const Plan& plan, Compared by) {
  std::vector<lattice::Set> sets;
  for (const auto& intent : plan.intents) sets.push_back(compared_set(intent, by));
  lattice::ContextBuilder builder;
  for (std::size_t i = 0; i < plan.processes.size(); ++i) builder.add(i, sets[plan.processes[i].intent], plan.processes[i].weight);
  return std::move(builder).build();
}

const Function& callee_of(const Plan& plan, lattice::Element attribute) { return plan.functions[attribute & 0xffffffff]; }

std::string name_of(const Plan& plan, lattice::Element attribute, Compared by) {
  const auto& callee = callee_of(plan, attribute).name;
  if (by == Compared::functions) return callee;
  const auto caller = static_cast<FunctionIndex>(attribute >> 32);
  return (caller == virtual_root ? std::string() : plan.functions[caller].name + " ") + "-> " + callee;
}

}  // namespace tracefold
