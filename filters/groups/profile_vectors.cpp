#include "filters/groups/profile_vectors.hpp"

#include <map>

namespace tracefold {

lattice::Points profile_vectors(const Plan& plan, const Group& group,
                                const std::vector<std::size_t>& members) {
  std::map<FunctionIndex, std::size_t> dimension;
  for (auto intent : group.intents)
    for (auto function : plan.intents[intent].functions)
      dimension.try_emplace(function, dimension.size());

  lattice::Points points;

  for (auto member : members) {
    const auto& p = plan.processes[member];
    auto& point = points.emplace_back(dimension.size() + 1);
    const auto& functions = plan.intents[p.intent].functions;
    for (std::size_t k = 0; k < functions.size(); ++k)
      point[dimension.at(functions[k])] = p.exclusive[k];
    point.back() = p.rest;
  }

  return points;
}

}  // namespace tracefold
