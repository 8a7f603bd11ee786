#include "pipeline/program/describe_program.hpp"

#include "model/plan.hpp"

#include <optional>

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

}  // namespace tracefold
