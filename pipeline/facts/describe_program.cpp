#include "pipeline/facts/describe_program.hpp"

#include "model/plan.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/messages/cart_topologies.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace tracefold {

namespace {

// The names of a system-tree node and of those above it: "machine/node001". A file may define a
// ring of nodes.
std::string name_node(const Definitions& definitions, std::uint64_t id) {
  constexpr auto kind = DefinitionKind::SystemTreeNode;
  constexpr int deepest = 64;
  std::string name;
  for (int depth = 0; depth < deepest; ++depth) {
    const auto* node = definitions.find(Ref::system_tree_node, id);
    if (!node)
      break;
    name = definitions.text(get_field<"name", kind>(*node)) + (name.empty() ? "" : "/") + name;
    id = get_field<"parent", kind>(*node);
  }

  return name;
}

}  // namespace

std::vector<ProgramProcess> describe_program(const Definitions& definitions, const Plan& plan) {
  std::vector<ProgramProcess> out;
  for (const auto& process : plan.processes) {
    auto& one = out.emplace_back();
    if (const auto* location = definitions.find(Ref::location, process.id))
      one.type = get_field<"locationType", DefinitionKind::Location>(*location);
    if (const auto* group = definitions.find(Ref::location_group, process.location_group))
      one.node = name_node(definitions,
                           get_field<"systemTreeParent", DefinitionKind::LocationGroup>(*group));
    if (process.intent < plan.intents.size())
      one.metrics = plan.intents[process.intent].set.metrics;
  }

  return out;
}

std::vector<ProgramTopology> describe_topologies(const Definitions& definitions, const Plan& plan) {
  std::size_t room = most_stored_places;
  std::vector<ProgramTopology> out;

  for (const auto& defined : list_cart_topologies(definitions)) {
    const auto members = defined.group ? definitions.members(*defined.group) : Members();
    std::unordered_map<std::uint64_t, const std::vector<std::uint64_t>*> coordinates;
    for (const auto& place : defined.places)
      if (place.rank < members.size() && defined.has(*place.coordinates))
        coordinates.try_emplace(members[place.rank], place.coordinates);  // by location

    const auto width = defined.axes.size();
    if (coordinates.empty() || plan.processes.size() > room / std::max<std::size_t>(width, 1))
      continue;
    auto& places = out.emplace_back(ProgramTopology{defined.name, defined.axes, {}}).places;
    places.resize(plan.processes.size() * width);
    room -= places.size();

    for (std::size_t p = 0; p < plan.processes.size(); ++p) {
      const auto id = plan.processes[p].id;
      auto place = coordinates.find(id);
      if (place == coordinates.end())
        place = coordinates.find(definitions.endpoint(id));
      if (place != coordinates.end())
        std::transform(place->second->begin(), place->second->end(),
                       places.begin() + static_cast<std::ptrdiff_t>(p * width),
                       [](std::uint64_t at) { return at + 1; });
    }
  }

  return out;
}

}  // namespace tracefold
