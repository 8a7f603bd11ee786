#include "model/describe_group.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// The first representative in the order of processes, or the first member where none was chosen.
std::size_t choose_example(const Plan& plan, std::size_t group) {
  const auto& members = plan.groups->at(group).members;
  if (!plan.representatives)
    return members.front();

  auto example = plan.processes.size();
  for (const auto& representative : *plan.representatives)
    if (representative.group == group)
      example = std::min(example, representative.process);

  return example < plan.processes.size() ? example : members.front();
}

}  // namespace

std::string describe_group(const Plan& plan, std::size_t group) {
  const auto& name = plan.groups->at(group).name;
  if (name.empty())
    return "like " + name_process(plan.processes.at(choose_example(plan, group)));

  return shorten(make_printable(name), longest_group_description);
}

}  // namespace tracefold
