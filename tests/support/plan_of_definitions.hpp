// Plans for the processes that definitions tell of, without profiles.
#pragma once

#include "pipeline/profile/profile_pass.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold::testing {

// A plan that keeps all processes.
inline Plan keep_all(const Definitions& definitions) {
  Plan plan;
  plan.processes = find_processes(definitions, {});
  return plan;
}

// A plan that keeps the first location of each group, which stands for the others of it; and these
// locations as halo.
inline Plan keep_first(const Definitions& definitions,
                       const std::vector<std::vector<std::uint64_t>>& groups,
                       const std::vector<std::uint64_t>& halo = {}) {
  auto plan = keep_all(definitions);
  const auto find = [&](std::uint64_t id) {
    std::size_t process = 0;
    while (plan.processes.at(process).id != id)
      ++process;
    return process;
  };

  plan.representatives.emplace();
  for (const auto& locations : groups) {
    Representative kept;
    kept.group = static_cast<std::uint32_t>(plan.representatives->size());
    kept.process = find(locations.at(0));
    for (auto location : locations)
      kept.members.push_back(find(location));
    std::sort(kept.members.begin(), kept.members.end());
    plan.representatives->push_back(std::move(kept));
  }
  if (!halo.empty())
    plan.halo = HaloSection{{}, {{halo, {}, 0, 0}}};

  return plan;
}

}  // namespace tracefold::testing
