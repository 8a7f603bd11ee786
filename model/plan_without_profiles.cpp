#include "model/plan.hpp"

#include "model/iterations/iteration_section.hpp"

#include <utility>

namespace tracefold {

namespace {

// Gives new indexes to functions, in the order in which they are asked for.
class UsedFunctions {
 public:
  explicit UsedFunctions(std::vector<Function> functions)
      : functions_(std::move(functions)), indexes_(functions_.size(), virtual_root) {}

  void renumber(FunctionIndex& function) {
    if (function >= functions_.size())  // the virtual root
      return;

    auto& index = indexes_[function];
    if (index == virtual_root) {
      index = static_cast<FunctionIndex>(used_.size());
      used_.push_back(functions_[function]);
    }

    function = index;
  }
  void renumber(std::vector<FunctionIndex>& functions) {
    for (auto& function : functions)
      renumber(function);
  }

  std::vector<Function> take() { return std::move(used_); }

 private:
  std::vector<Function> functions_, used_;
  std::vector<FunctionIndex> indexes_;  // new ones by old ones; virtual_root: none yet
};

void renumber(Loop& loop, UsedFunctions& used) {
  used.renumber(loop.path);
  used.renumber(loop.function);
  loop.runner_up.reset();
}

}  // namespace

Plan leave_out_profiles(Plan plan) {
  plan.lacks_profiles = true;
  plan.intents.clear();

  for (auto& process : plan.processes) {
    process.events = process.intent = 0;
    process.exclusive.clear();
    process.rest = 0;
  }

  if (plan.groups)
    for (auto& group : *plan.groups) {
      group.intents.clear();
      group.similarity.clear();
    }

  UsedFunctions used(std::move(plan.functions));
  used.renumber(plan.ignored);
  if (plan.iterations) {
    auto section = *plan.iterations;
    for (auto& process : section.processes)
      for (auto& loop : process.loops.loops)
        renumber(loop, used);
    plan.iterations = std::make_shared<const IterationSection>(std::move(section));
  }
  plan.functions = used.take();

  return plan;
}

}  // namespace tracefold
