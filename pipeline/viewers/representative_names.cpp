#include "pipeline/viewers/representative_names.hpp"

#include "model/describe_group.hpp"
#include "model/process_names.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <fmt/format.h>

namespace tracefold {

RepresentativeNames find_representative_names(const Archive& archive, const Plan& plan) {
  RepresentativeNames names;
  if (plan.groups)
    for (std::size_t g = 0; g < plan.groups->size(); ++g)
      names.groups.push_back(label_group(plan, g));

  if (plan.representatives && find_earlier_reductions(archive.definitions()).empty())
    for (const auto& representative : *plan.representatives)
      names.members.emplace(
          plan.processes[representative.process].id,
          fmt::format("{}", fmt::join(name_places(plan, representative.members), ", ")));

  return names;
}

}  // namespace tracefold
