#include "pipeline/program/describe_program.hpp"

#include "model/plan.hpp"
#include "pipeline/program/program_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

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

std::vector<ProgramTopology::Axis> list_axes(const Definitions& definitions,
                                             const Definition& topology) {
  constexpr auto kind = DefinitionKind::CartDimension;
  std::vector<ProgramTopology::Axis> axes;
  for (const auto id : topology.list) {
    const auto* axis = definitions.find(Ref::cart_dimension, id);
    if (!axis)
      return {};
    axes.push_back({definitions.text(get_field<"name", kind>(*axis)),
                    get_field<"size", kind>(*axis),
                    get_field<"cartPeriodicity", kind>(*axis) != 0});
  }

  return axes;
}

// The locations that the ranks of a topology mean.
Members list_members(const Definitions& definitions, const Definition& topology) {
  const auto* comm = definitions.find(
      Ref::comm, get_field<"communicator", DefinitionKind::CartTopology>(topology));
  if (!comm || comm->kind != DefinitionKind::Comm)
    return {};
  const auto* group = definitions.find(Ref::group, get_field<"group", DefinitionKind::Comm>(*comm));
  return group ? definitions.members(*group) : Members();
}

bool is_inside(const Definition& coordinate, const std::vector<ProgramTopology::Axis>& axes) {
  return std::equal(coordinate.list.begin(), coordinate.list.end(), axes.begin(), axes.end(),
                    [](std::uint64_t at, const auto& axis) { return at < axis.size; });
}

// By location, the coordinates of a topology that are defined for it.
using PlacesInTopology = std::unordered_map<std::uint64_t, const std::vector<std::uint64_t>*>;

// By the id of the topology.
std::unordered_map<std::uint64_t, PlacesInTopology> find_coordinates(
    const Definitions& definitions) {
  constexpr auto kind = DefinitionKind::CartCoordinate;
  std::unordered_map<std::uint64_t, PlacesInTopology> found;
  std::unordered_map<std::uint64_t, std::pair<Members, std::vector<ProgramTopology::Axis>>> known;

  for (const auto& d : definitions.all()) {
    if (d.kind != kind)
      continue;
    const auto id = get_field<"cartTopology", kind>(d);
    const auto* topology = definitions.find(Ref::cart_topology, id);
    if (!topology)
      continue;
    auto [at, is_new] = known.try_emplace(id);
    auto& [members, axes] = at->second;
    if (is_new)
      at->second = {list_members(definitions, *topology), list_axes(definitions, *topology)};
    if (const auto rank = get_field<"rank", kind>(d); rank < members.size() && is_inside(d, axes))
      found[id].try_emplace(members[rank], &d.list);
  }

  return found;
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
  constexpr auto kind = DefinitionKind::CartTopology;
  const auto found = find_coordinates(definitions);

  std::size_t room = most_stored_places;
  std::vector<ProgramTopology> out;
  for (const auto& d : definitions.all()) {
    const auto of_topology = d.kind == kind ? found.find(d.id()) : found.end();
    if (of_topology == found.end())
      continue;
    const auto& coordinates = of_topology->second;
    auto& topology = out.emplace_back(ProgramTopology{
        definitions.text(get_field<"name", kind>(d)), list_axes(definitions, d), {}});
    const auto width = topology.axes.size();
    if (plan.processes.size() > room / std::max<std::size_t>(width, 1)) {
      out.pop_back();
      continue;
    }
    topology.places.resize(plan.processes.size() * width);
    room -= topology.places.size();

    for (std::size_t p = 0; p < plan.processes.size(); ++p) {
      const auto id = plan.processes[p].id;
      auto place = coordinates.find(id);
      if (place == coordinates.end())
        place = coordinates.find(definitions.endpoint(id));
      if (place != coordinates.end())
        std::transform(place->second->begin(), place->second->end(),
                       topology.places.begin() + static_cast<std::ptrdiff_t>(p * width),
                       [](std::uint64_t at) { return at + 1; });
    }
  }

  return out;
}

}  // namespace tracefold
