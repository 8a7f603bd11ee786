#include "model/groups/describe_group.hpp"

namespace tracefold {

std::string describe_group(const Plan& plan, std::size_t group) {
  auto process = (*plan.groups)[group].members.front();
  if (plan.representatives)
    for (const auto& representative : *plan.representatives)
      if (representative.group == group) {
        process = representative.process;
        break;
      }

  const auto& one = plan.processes[process];
  return one.rank ? "like rank " + std::to_string(*one.rank) : "like " + one.name;
}

}  // namespace tracefold
