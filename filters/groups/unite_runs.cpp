#include "filters/groups/unite_runs.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/comparison/function_names.hpp"

#include <map>
#include <utility>

namespace tracefold {

namespace {

RunFunctions list_called(const Plan& plan) {
  RunFunctions out{&plan.functions, std::vector<bool>(plan.functions.size())};
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs) {
      out.is_called[pair.callee] = true;
      if (pair.caller != virtual_root)
        out.is_called[pair.caller] = true;
    }
  return out;
}

Intent rename(Intent intent, const std::vector<ClassIndex>& class_of) {
  for (auto& pair : intent.pairs)
    pair = {pair.caller == virtual_root ? virtual_root : class_of[pair.caller],
            class_of[pair.callee]};
  sort_and_unite(intent.pairs);
  return intent;
}

}  // namespace

UnitedRuns unite_runs(std::vector<Plan> plans, std::vector<std::string> names) {
  // Ranks and location groups of different runs are no threads of one process.
  constexpr int bits_of_a_run = 40;
  UnitedRuns out;
  std::vector<RunFunctions> functions;
  for (const auto& plan : plans)
    functions.push_back(list_called(plan));
  const auto matched = match_functions(functions);
  for (const auto& one : matched.classes)
    out.all.functions.push_back(one.first);

  std::map<Intent, std::uint32_t> known;
  for (std::size_t r = 0; r < plans.size(); ++r) {
    out.begins.push_back(out.all.processes.size());
    std::vector<std::uint32_t> intent_of;
    for (const auto& intent : plans[r].intents) {
      auto set = rename(intent.set, matched.class_of[r]);
      const auto number = static_cast<std::uint32_t>(out.all.intents.size());
      const auto [at, is_new] = known.try_emplace(set, number);
      if (is_new)
        out.all.intents.push_back({std::move(set), {}});
      intent_of.push_back(at->second);
    }

    const auto first = std::uint64_t{r} << bits_of_a_run;
    for (auto process : plans[r].processes) {
      process.intent = intent_of[process.intent];
      process.exclusive.clear();
      process.location_group += first;
      if (process.rank)
        *process.rank += first;
      out.all.processes.push_back(std::move(process));
    }
  }
  out.names = std::move(names);
  out.plans = std::move(plans);
  return out;
}

}  // namespace tracefold
