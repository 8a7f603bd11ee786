#include "pipeline/messages/cart_topologies.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace tracefold {

namespace {

ProgramTopology::Axis read_cart_axis(const Definitions& definitions, std::uint64_t id) {
  constexpr auto kind = DefinitionKind::CartDimension;
  const auto* axis = definitions.find(Ref::cart_dimension, id);
  if (!axis)
    return {};
  return {definitions.text(get_field<"name", kind>(*axis)), get_field<"size", kind>(*axis),
          get_field<"cartPeriodicity", kind>(*axis) != 0};
}

const Definition* find_cart_group(const Definitions& definitions, const Definition& topology) {
  const auto* comm = definitions.find(
      Ref::comm, get_field<"communicator", DefinitionKind::CartTopology>(topology));
  if (!comm || comm->kind != DefinitionKind::Comm)
    return nullptr;
  return definitions.find(Ref::group, get_field<"group", DefinitionKind::Comm>(*comm));
}

}  // namespace

bool CartTopology::has(const std::vector<std::uint64_t>& coordinates) const {
  return std::equal(coordinates.begin(), coordinates.end(), axes.begin(), axes.end(),
                    [](std::uint64_t at, const auto& axis) { return at < axis.size; });
}

std::vector<CartTopology> list_cart_topologies(const Definitions& definitions) {
  std::vector<CartTopology> topologies;
  std::unordered_map<std::uint64_t, std::size_t> indexes;  // by id

  for (const auto& d : definitions.all()) {
    constexpr auto kind = DefinitionKind::CartTopology;
    if (d.kind != kind || !indexes.try_emplace(d.id(), topologies.size()).second)
      continue;

    auto& topology = topologies.emplace_back();
    topology.name = definitions.text(get_field<"name", kind>(d));
    topology.group = find_cart_group(definitions, d);
    for (auto id : d.list)
      topology.axes.push_back(read_cart_axis(definitions, id));
  }
  if (topologies.empty())
    return {};

  for (const auto& d : definitions.all()) {
    constexpr auto kind = DefinitionKind::CartCoordinate;
    if (d.kind != kind)
      continue;
    const auto at = indexes.find(get_field<"cartTopology", kind>(d));
    if (at != indexes.end())
      topologies[at->second].places.push_back({get_field<"rank", kind>(d), &d.list});
  }

  return topologies;
}

}  // namespace tracefold
