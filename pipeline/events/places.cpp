#include "pipeline/events/places.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold {

namespace {

using K = DefinitionKind;

constexpr std::string_view between_nodes = " / ", between_class_and_name = "::";

// Longer paths say nothing to anybody, and an archive may define any.
constexpr std::size_t most_nodes_of_path = 64, most_bytes_of_path = 4096;

const Definition* find_parent_node(const Definitions& definitions, const Definition& node) {
  return definitions.find(Ref::system_tree_node, get_field<"parent", K::SystemTreeNode>(node));
}

}  // namespace

std::string to_text(const NodePath& path) {
  std::string text;
  for (const auto& [class_name, name] : path) {
    if (!text.empty())
      text += between_nodes;
    text += class_name;
    text += between_class_and_name;
    text += name;
  }

  return text;
}

NodePath parse_node_path(const std::string& text) {
  NodePath path;
  for (std::size_t begin = 0; begin <= text.size() && path.size() < most_nodes_of_path;) {
    const auto end = std::min(text.find(between_nodes, begin), text.size());
    const auto node = text.substr(begin, end - begin);
    const auto middle = node.find(between_class_and_name);
    if (middle == std::string::npos)
      path.emplace_back("", node);
    else
      path.emplace_back(node.substr(0, middle),
                        node.substr(middle + between_class_and_name.size()));
    begin = end + between_nodes.size();
  }

  return path;
}

Places::Places(const Definitions& definitions) : definitions_(definitions) {
  for (const auto& d : definitions.all())
    if (d.kind == K::SystemTreeNodeProperty &&
        definitions.text(get_field<"name", K::SystemTreeNodeProperty>(d)) == tree_property)
      added_.insert(get_field<"systemTreeNode", K::SystemTreeNodeProperty>(d));
  find_machine_nodes();

  for (const auto& d : definitions.all()) {
    if (d.kind != K::LocationGroupProperty ||
        get_field<"type", K::LocationGroupProperty>(d) != otf2_value::type_string ||
        definitions.text(get_field<"name", K::LocationGroupProperty>(d)) != node_property)
      continue;
    const auto& place = definitions.text(get_field<"value", K::LocationGroupProperty>(d));
    if (!place.empty() && place.size() <= most_bytes_of_path)
      carried_.emplace(get_field<"locationGroup", K::LocationGroupProperty>(d), place);
  }
}

// Each node once, since chains may be as long as there are nodes. No node is above itself: such
// circles were cut when the definitions were read.
void Places::find_machine_nodes() {
  std::vector<const Definition*> chain;
  for (const auto& first : definitions_.all()) {
    if (first.kind != K::SystemTreeNode)
      continue;

    const auto* d = &first;
    for (; d && !on_machine_.contains(d->id()); d = find_parent_node(definitions_, *d))
      chain.push_back(d);

    auto above = d ? on_machine_.at(d->id()) : OnMachine();
    for (; !chain.empty(); chain.pop_back()) {
      const auto id = chain.back()->id();
      if (!is_added(id))
        above = {id, above.root ? above.root : id};
      on_machine_.emplace(id, above);
    }
  }
}

Places::OnMachine Places::find_on_machine(std::uint64_t node) const {
  const auto at = on_machine_.find(node);
  return at == on_machine_.end() ? OnMachine() : at->second;
}

std::optional<std::uint64_t> Places::find_node(std::uint64_t location_group) const {
  const auto* group = definitions_.find(Ref::location_group, location_group);
  return group ? find_on_machine(get_field<"systemTreeParent", K::LocationGroup>(*group)).node
               : std::nullopt;
}

std::optional<std::uint64_t> Places::find_parent(std::uint64_t node) const {
  const auto* d = definitions_.find(Ref::system_tree_node, node);
  return d ? find_on_machine(get_field<"parent", K::SystemTreeNode>(*d)).node : std::nullopt;
}

std::unordered_set<std::uint64_t> Places::find_nodes_above(
    const std::vector<std::uint64_t>& location_groups) const {
  std::unordered_set<std::uint64_t> above;
  std::unordered_set<std::string> paths;
  for (const auto id : location_groups) {
    for (auto node = find_node(id); node && above.insert(*node).second;)
      node = find_parent(*node);
    if (!has_added())
      continue;

    NodePath path;
    for (auto& node : parse_node_path(find(id).value_or(""))) {
      path.push_back(std::move(node));
      paths.insert(to_text(path));
    }
  }

  if (has_added())
    for (const auto& [id, on_machine] : on_machine_)
      if (!is_added(id) && paths.contains(to_text(find_path(id))))
        above.insert(id);

  return above;
}

std::optional<std::uint64_t> Places::find_root(std::uint64_t location_group) const {
  const auto* group = definitions_.find(Ref::location_group, location_group);
  return group ? find_on_machine(get_field<"systemTreeParent", K::LocationGroup>(*group)).root
               : std::nullopt;
}

NodePath Places::find_path(std::uint64_t id) const {
  NodePath path;
  std::size_t bytes = 0;
  for (auto node = find_on_machine(id).node; node && path.size() < most_nodes_of_path;
       node = find_parent(*node)) {
    const auto& d = *definitions_.find(Ref::system_tree_node, *node);
    const auto& class_name = definitions_.text(get_field<"className", K::SystemTreeNode>(d));
    const auto& name = definitions_.text(get_field<"name", K::SystemTreeNode>(d));
    bytes += class_name.size() + name.size() + between_class_and_name.size() + between_nodes.size();
    if (bytes > most_bytes_of_path)
      break;

    path.emplace_back(class_name, name);
  }

  std::reverse(path.begin(), path.end());

  return path;
}

// What was carried on only counts where groups are shown: else the tree says it.
std::optional<std::string> Places::find(std::uint64_t location_group) const {
  const auto* group = definitions_.find(Ref::location_group, location_group);
  if (!group)
    return std::nullopt;

  const auto parent = get_field<"systemTreeParent", K::LocationGroup>(*group);
  if (is_added(parent))
    if (const auto at = carried_.find(location_group); at != carried_.end())
      return at->second;

  const auto node = find_on_machine(parent).node;
  if (!node)
    return std::nullopt;
  auto text = to_text(find_path(*node));

  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace tracefold
