#include "model/describe_group.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

namespace tracefold {

namespace {

// Whichever of them stay: so it is called the same before and after it is reduced.
std::string compare_with_first(const Plan& plan, const Group& group) {
  return "like " + name_process(plan.processes.at(group.members.front()));
}

}  // namespace

std::string describe_group(const Plan& plan, std::size_t group) {
  const auto& found = plan.groups->at(group);
  if (found.name.empty())
    return compare_with_first(plan, found);

  return shorten(make_printable(found.name), longest_group_description);
}

}  // namespace tracefold
