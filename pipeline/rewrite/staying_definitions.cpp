#include "pipeline/rewrite/staying_definitions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracefold {

using K = DefinitionKind;

bool is_group_of_type(const Definition& definition, std::uint64_t type) {
  return definition.kind == K::Group && get_field<"groupType", K::Group>(definition) == type;
}

std::optional<Ref> member_kind(const Definition& group) {
  switch (get_field<"groupType", K::Group>(group)) {
    case otf2_value::group_locations: return Ref::location;
    case otf2_value::group_regions: return Ref::region;
    case otf2_value::group_metric: return Ref::metric;
    default: return std::nullopt;
  }
}

Ref scope_kind(const Definition& instance) {
  switch (get_field<"metricScope", K::MetricInstance>(instance)) {
    case otf2_value::scope_location: return Ref::location;
    case otf2_value::scope_location_group: return Ref::location_group;
    case otf2_value::scope_system_tree_node: return Ref::system_tree_node;
    default: return Ref::group;
  }
}

std::optional<Ref> self_kind(const Definition& definition) {
  const auto shape = get_row(definition.kind).shape();
  return shape[0].role == FieldRole::self ? std::optional(shape[0].target) : std::nullopt;
}

namespace {

// Nothing refers to definitions of these kinds; they stay where what they refer to stays.
bool is_unreferenced(const Definition& definition) {
  switch (definition.kind) {
    case K::ParadigmProperty:
    case K::SystemTreeNodeProperty:
    case K::SystemTreeNodeDomain:
    case K::LocationGroupProperty:
    case K::LocationProperty:
    case K::Callsite:
    case K::Callpath:
    case K::MetricClassRecorder:
    case K::CallpathParameter:
    case K::CartTopology:
    case K::CartCoordinate:
    case K::CallingContextProperty:
    case K::IoFileProperty:
    case K::IoPreCreatedHandleState: return true;
    case K::Group:
      return get_field<"groupType", K::Group>(definition) < otf2_value::group_comm_locations;
    default: return false;
  }
}

bool is_property(K kind) {
  return kind == K::LocationProperty || kind == K::LocationGroupProperty ||
         kind == K::SystemTreeNodeProperty || kind == K::CallingContextProperty ||
         kind == K::ParadigmProperty || kind == K::IoFileProperty;
}

// The definition of the same kind that a definition is below, or null.
const Definition* find_parent(const Definitions& definitions, const Definition& definition) {
  const auto field = find_parent_field(definition.kind);
  return field ? definitions.find(*self_kind(definition), definition.fields[*field]) : nullptr;
}

}  // namespace

StayingDefinitions::StayingDefinitions(const Definitions& original, const KeptLocations& kept,
                                       const Partners& partners, const UsedRefs& used,
                                       const SystemTree& tree)
    : original_(original), kept_(kept), partners_(partners) {
  for (auto group : kept_.groups())
    if (original_.find(Ref::location_group, group))
      staying_[index(Ref::location_group)].insert(group);
  for (const auto& location : kept_.all())
    staying_[index(Ref::location)].insert(location.id);

  mark_system_tree(tree);
  mark_used(used);

  // All lists of locations stay, cut, and so do their paradigms.
  for (const auto& d : original_.all())
    if (is_group_of_type(d, otf2_value::group_comm_locations))
      mark(Ref::paradigm, get_field<"paradigm", K::Group>(d));

  mark_property_values();
  mark_unreferenced();
}

// The nodes above the location groups that stay, and above the nodes that are added. What else is
// above them in the original stays only where something names it, as the node of a file.
void StayingDefinitions::mark_system_tree(const SystemTree& tree) {
  const auto mark_node = [&](const std::optional<TreeNodeRef>& node) {
    if (node && !node->is_added)
      mark(Ref::system_tree_node, node->id);
  };

  for (auto group : kept_.groups()) {
    const auto* definition = original_.find(Ref::location_group, group);
    if (const auto at = tree.parents.find(group); at != tree.parents.end())
      mark_node(at->second);
    else if (definition)
      mark(Ref::system_tree_node, get_field<"systemTreeParent", K::LocationGroup>(*definition));
  }

  for (const auto& node : tree.nodes)
    mark_node(node.parent);
}

// What a property names stays with the property, and may have properties itself.
void StayingDefinitions::mark_property_values() {
  const auto count = [&] {
    std::size_t marked = 0;
    for (const auto& ids : staying_)
      marked += ids.size();
    return marked;
  };

  for (auto before = std::size_t{0}; before != count();) {
    before = count();
    for (const auto& d : original_.all()) {
      if (!is_property(d.kind) || !property_stays(d))
        continue;

      auto property = d;
      for_each_ref(
          get_row(d.kind).shape(), property.fields, property.list, [&](Ref kind, std::uint64_t id) {
            if (kind != Ref::string && kind != Ref::location && kind != Ref::location_group)
              mark(kind, id);
          });
    }
  }
}

// Marks what events refer to. Locations and their groups are chosen by the plan alone; strings are
// numbered where they are used.
void StayingDefinitions::mark_used(const UsedRefs& used) {
  for (std::size_t kind = 0; kind < ref_kinds; ++kind) {
    const auto ref = static_cast<Ref>(kind);
    if (ref == Ref::location || ref == Ref::location_group || ref == Ref::string)
      continue;

    used.get(ref).for_each([&](std::uint64_t id) {
      const auto* definition = original_.find(ref, id);
      if (definition && !is_of_earlier_reduction(*definition))
        mark(ref, id);
    });
  }
}

// Marks a definition and all that it refers to, without strings, locations and their groups.
void StayingDefinitions::mark(Ref kind, std::uint64_t id) {
  std::vector<std::pair<Ref, std::uint64_t>> open{{kind, id}};

  while (!open.empty()) {
    const auto [ref, self] = open.back();
    open.pop_back();
    const auto* d = original_.find(ref, self);
    if (ref == Ref::metric && !partners_.metric_stays(self))
      continue;
    if (!d || !staying_[index(ref)].insert(self).second)
      continue;

    for_each_ref(get_row(d->kind).shape(), d->fields, d->list, [&](Ref to, std::uint64_t target) {
      if (to != Ref::string && to != Ref::location && to != Ref::location_group)
        open.emplace_back(to, target);
    });

    if (d->kind == K::MetricInstance &&
        get_field<"metricScope", K::MetricInstance>(*d) >= otf2_value::scope_system_tree_node)
      open.emplace_back(scope_kind(*d), get_field<"scope", K::MetricInstance>(*d));
  }
}

void StayingDefinitions::mark_unreferenced() {
  std::unordered_set<const Definition*> seen;

  for (const auto& first : original_.all()) {
    // A call path refers to its parent, which has to be decided on first.
    std::vector<const Definition*> chain;
    for (const auto* d = &first; d && is_unreferenced(*d) && self_kind(*d) && seen.insert(d).second;
         d = find_parent(original_, *d))
      chain.push_back(d);

    for (; !chain.empty(); chain.pop_back())
      if (const auto* d = chain.back(); unreferenced_stays(*d))
        mark(*self_kind(*d), d->id());
  }

  for (const auto& d : original_.all())
    if (d.kind == K::MetricClassRecorder &&
        kept_.has(get_field<"recorder", K::MetricClassRecorder>(d)))
      mark(Ref::metric, get_field<"metric", K::MetricClassRecorder>(d));
}

bool StayingDefinitions::stays(const Definition& definition) const {
  const auto self = self_kind(definition);
  return self ? stays(*self, definition.id()) : unreferenced_stays(definition);
}

bool StayingDefinitions::unreferenced_stays(const Definition& definition) const {
  switch (definition.kind) {
    case K::LocationProperty:
    case K::LocationGroupProperty:
    case K::SystemTreeNodeProperty:
    case K::CallingContextProperty:
    case K::ParadigmProperty:
    case K::IoFileProperty: return property_stays(definition);
    case K::Group: return group_stays(definition);
    case K::CartTopology:
      return stays(Ref::comm, get_field<"communicator", K::CartTopology>(definition));
    case K::CartCoordinate: return coordinate_stays(definition);
    default: return all_refs_stay(definition);
  }
}

// Properties of an earlier reduction do not stay: the new ones count for both.
bool StayingDefinitions::property_stays(const Definition& property) const {
  const auto owner_kind = get_row(property.kind).shape()[0].target;
  if (!stays(owner_kind, property.fields[0]))
    return false;
  if (property.kind == K::ParadigmProperty)
    return true;  // these have a number instead of a name

  const auto name =
      get_field<"name", K::LocationProperty, K::LocationGroupProperty, K::SystemTreeNodeProperty,
                K::CallingContextProperty, K::IoFileProperty>(property);

  return !original_.text(name).starts_with("tracefold::");
}

bool StayingDefinitions::group_stays(const Definition& group) const {
  if (is_of_earlier_reduction(group))
    return false;

  const auto kind = member_kind(group);
  return !kind || std::any_of(group.list.begin(), group.list.end(),
                              [&](auto member) { return stays(*kind, member); });
}

bool StayingDefinitions::coordinate_stays(const Definition& coordinate) const {
  const auto id = get_field<"cartTopology", K::CartCoordinate>(coordinate);
  const auto* topology = original_.find(Ref::cart_topology, id);
  return topology && stays(Ref::cart_topology, id) &&
         partners_.new_rank(0, get_field<"communicator", K::CartTopology>(*topology),
                            get_field<"rank", K::CartCoordinate>(coordinate));
}

bool StayingDefinitions::all_refs_stay(const Definition& definition) const {
  bool all_stay = true;
  for_each_ref(get_row(definition.kind).shape(), definition.fields, definition.list,
               [&](Ref kind, std::uint64_t id) {
                 if (kind != Ref::string && id != undefined_id(kind) && !stays(kind, id))
                   all_stay = false;
               });

  return all_stay;
}

// True for a group that tells which locations an earlier reduction kept together.
bool StayingDefinitions::is_of_earlier_reduction(const Definition& definition) const {
  return is_group_of_type(definition, otf2_value::group_locations) &&
         original_.text(get_field<"name", K::Group>(definition)).starts_with("tracefold ");
}

}  // namespace tracefold
