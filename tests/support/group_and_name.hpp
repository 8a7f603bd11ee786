// What the stage `group` does, for tests that verify a trace, and so need all that it adds.
#pragma once

#include "filters/groups/group.hpp"
#include "filters/groups/name_groups.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/program_places.hpp"

namespace tracefold::testing {

inline void group_and_name(Plan& plan, const Archive& archive, double threshold) {
  if (was_reduced(archive))
    plan.grid = read_stored_grid(archive);
  group(plan, threshold);
  name_groups(plan, find_program_places(archive, plan));
}

}  // namespace tracefold::testing
