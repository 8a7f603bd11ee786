#include "tests/pipeline/verify/rules/tree_rules.hpp"

#include "base/text.hpp"
#include "pipeline/events/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

using K = DefinitionKind;

constexpr std::string_view class_of_group = "group", class_of_partners = "partners";

// The classes of nodes that are added, and those of the nodes that may stand above each. At the top
// stands the root of the machine, or nothing.
struct TreeLevel {
  std::string_view class_name;
  bool may_be_top = false;
  std::array<std::string_view, 2> above = {};
};
constexpr std::array tree_levels{
    TreeLevel{"main cluster", true}, TreeLevel{class_of_group, true, {"main cluster"}},
    TreeLevel{"merged", false, {class_of_group}},
    TreeLevel{"cluster", false, {class_of_group, "merged"}}, TreeLevel{class_of_partners, true}};

// A property of a node of the system tree or of a location group, by the id of that.
template <K kind>
std::map<std::uint64_t, const Definition*> list_properties(const Definitions& definitions,
                                                           std::string_view name) {
  std::map<std::uint64_t, const Definition*> found;
  for (const auto& d : definitions.all())
    if (d.kind == kind && definitions.text(get_field<"name", kind>(d)) == name)
      found.emplace(d.id(), &d);
  return found;
}

// The text that a property holds; none where it is missing, or of another type.
template <K kind>
std::optional<std::string> find_text(const Definitions& definitions,
                                     const std::map<std::uint64_t, const Definition*>& properties,
                                     std::uint64_t id) {
  const auto at = properties.find(id);
  if (at == properties.end() || get_field<"type", kind>(*at->second) != otf2_value::type_string)
    return std::nullopt;
  return definitions.text(get_field<"value", kind>(*at->second));
}

class TreeRules {
 public:
  TreeRules(RuleBook& rules, const DefinitionHashes& before, const DefinitionHashes& after,
            const PropertiesByLocation& properties)
      : rules_(rules),
        before_(before),
        after_(after),
        reduced_(after.definitions()),
        properties_(properties),
        places_before_(before.definitions()),
        places_after_(reduced_),
        shown_(list_properties<K::SystemTreeNodeProperty>(reduced_, tree_property)),
        numbers_(list_properties<K::SystemTreeNodeProperty>(reduced_, "tracefold::group")),
        told_places_(list_properties<K::LocationGroupProperty>(reduced_, node_property)) {
    for (const auto& d : reduced_.all())
      if (d.kind == K::Location && !properties_.at(d.id()).is_halo())
        first_.emplace(get_field<"locationGroup", K::Location>(d), d.id());
    for (const auto& d : reduced_.all())
      if (d.kind == K::Location)
        has_locations_.insert(get_field<"locationGroup", K::Location>(d));
  }

  void check() {
    rules_.add_rule("location groups are where they were, or say it");
    for (const auto& d : reduced_.all())
      if (d.kind == K::LocationGroup && !is_in_place(d))
        rules_.add_violation(describe(d));

    rules_.add_rule("the system tree shows the machine, or the groups of all locations");
    for (const auto& d : reduced_.all())
      if (d.kind == K::LocationGroup && places_after_.has_added() && !is_in_its_group(d))
        rules_.add_violation(describe(d));
    for (const auto& d : reduced_.all())
      if (d.kind == K::SystemTreeNode && places_after_.is_added(d.id()) && !is_node_of_groups(d))
        rules_.add_violation(describe(d));
    for (const auto& [node, property] : numbers_)
      if (!has_class(node, class_of_group))
        rules_.add_violation(fmt::format("SystemTreeNode {} has a group", node));
  }

 private:
  bool is_in_place(const Definition& d) const {
    const auto source = after_.find_group(d.id());
    const auto* was = source ? before_.definitions().find(Ref::location_group, *source) : nullptr;
    if (!was)
      return true;  // there is a rule for that

    const auto place = places_before_.find(was->id());
    const auto told = find_text<K::LocationGroupProperty>(reduced_, told_places_, d.id());
    const auto parent = get_field<"systemTreeParent", K::LocationGroup>(d);
    if (places_after_.is_added(parent))
      return told == place && told.has_value() == told_places_.contains(d.id());

    const auto was_below = get_field<"systemTreeParent", K::LocationGroup>(*was);
    return !told_places_.contains(d.id()) &&
           (places_before_.is_added(was_below) ? places_after_.find(d.id()) == place
                                               : before_.find(Ref::system_tree_node, was_below) ==
                                                     after_.find(Ref::system_tree_node, parent));
  }

  const Definition* find_node(std::uint64_t id) const {
    return reduced_.find(Ref::system_tree_node, id);
  }
  bool has_class(std::uint64_t node, std::string_view class_name) const {
    const auto* d = find_node(node);
    return d && reduced_.text(get_field<"className", K::SystemTreeNode>(*d)) == class_name;
  }

  // The first location of a location group, or of the first that it created.
  std::optional<std::uint64_t> find_first_location(std::uint64_t location_group) const {
    if (const auto at = first_.find(location_group); at != first_.end())
      return at->second;
    if (has_locations_.contains(location_group))
      return std::nullopt;

    for (const auto& [created, location] : first_)
      for (const auto* d = reduced_.find(Ref::location_group, created); d;) {
        const auto creator = get_field<"creatingLocationGroup", K::LocationGroup>(*d);
        if (creator == location_group)
          return location;
        // A creator has a lower id.
        d = creator < d->id() && !has_locations_.contains(creator)
                ? reduced_.find(Ref::location_group, creator)
                : nullptr;
      }

    return std::nullopt;
  }

  // Whether it is below the node of the group of its first location.
  bool is_in_its_group(const Definition& location_group) const {
    auto node = get_field<"systemTreeParent", K::LocationGroup>(location_group);
    const auto location = find_first_location(location_group.id());
    if (!location)
      return has_class(node, class_of_partners);

    // One process stands for a cluster, and the name of the cluster says for how many.
    const auto count = properties_.at(*location).count.value_or(1);
    if (has_class(node, "cluster") &&
        !says_count(reduced_.text(get_field<"name", K::SystemTreeNode>(*find_node(node))), count))
      return false;

    for (std::size_t level = 0; level < tree_levels.size() && !has_class(node, class_of_group);
         ++level) {
      const auto* d = find_node(node);
      if (!d || !places_after_.is_added(node))
        return false;
      node = get_field<"parent", K::SystemTreeNode>(*d);
    }

    const auto number = numbers_.find(node);
    return number != numbers_.end() &&
           get_field<"type", K::SystemTreeNodeProperty>(*number->second) ==
               otf2_value::type_uint32 &&
           properties_.at(*location).group ==
               get_field<"value", K::SystemTreeNodeProperty>(*number->second);
  }

  // Whether it says what it is, stands where such nodes do, and is called as its group.
  bool is_node_of_groups(const Definition& d) {
    const auto& class_name = reduced_.text(get_field<"className", K::SystemTreeNode>(d));
    const auto level = std::ranges::find(tree_levels, class_name, &TreeLevel::class_name);
    if (level == tree_levels.end() ||
        find_text<K::SystemTreeNodeProperty>(reduced_, shown_, d.id()) != class_name)
      return false;

    const auto parent = get_field<"parent", K::SystemTreeNode>(d);
    const auto stands_below = [&](std::string_view above) {
      return !above.empty() && has_class(parent, above);
    };
    const bool fits = places_after_.is_added(parent)
                          ? std::ranges::any_of(level->above, stands_below)
                          : level->may_be_top && is_at_root(parent);

    return fits && has_children(d.id()) &&
           (class_name != class_of_group || is_called_as_its_group(d));
  }

  // All that are below no other added node are below the same one, the root of the machine.
  bool is_at_root(std::uint64_t parent) {
    if (!root_)
      root_ = parent;
    const auto* d = find_node(parent);
    return *root_ == parent && (d ? !find_node(get_field<"parent", K::SystemTreeNode>(*d))
                                  : parent == undefined_id(Ref::system_tree_node));
  }

  bool has_children(std::uint64_t node) {
    if (!parents_) {
      parents_.emplace();
      for (const auto& d : reduced_.all()) {
        if (d.kind == K::SystemTreeNode && places_after_.is_added(d.id()))
          parents_->insert(get_field<"parent", K::SystemTreeNode>(d));
        if (d.kind == K::LocationGroup)
          parents_->insert(get_field<"systemTreeParent", K::LocationGroup>(d));
      }
    }

    return parents_->contains(node);
  }

  bool is_called_as_its_group(const Definition& node) const {
    const auto number = numbers_.find(node.id());
    if (number == numbers_.end())
      return false;

    const auto name = fmt::format("tracefold group {}: {}",
                                  get_field<"value", K::SystemTreeNodeProperty>(*number->second),
                                  reduced_.text(get_field<"name", K::SystemTreeNode>(node)));
    return std::any_of(reduced_.all().begin(), reduced_.all().end(), [&](const auto& d) {
      return d.kind == K::Group && reduced_.text(get_field<"name", K::Group>(d)) == name;
    });
  }

  RuleBook& rules_;
  const DefinitionHashes& before_;
  const DefinitionHashes& after_;
  const Definitions& reduced_;
  const PropertiesByLocation& properties_;
  const Places places_before_, places_after_;
  const std::map<std::uint64_t, const Definition*> shown_, numbers_, told_places_;
  std::map<std::uint64_t, std::uint64_t> first_;  // locations by location group
  std::set<std::uint64_t> has_locations_;         // location groups
  std::optional<std::uint64_t> root_;
  std::optional<std::set<std::uint64_t>> parents_;
};

// The nodes of the machine that are above location groups of which something is kept.
std::unordered_set<std::uint64_t> list_nodes_above(const DefinitionHashes& before,
                                                   const DefinitionHashes& after) {
  std::vector<std::uint64_t> groups;
  for (const auto& d : after.definitions().all())
    if (d.kind == K::LocationGroup)
      if (const auto source = after.find_group(d.id()))
        groups.push_back(*source);

  return Places(before.definitions()).find_nodes_above(groups);
}

bool is_told_by_reduction(const Definitions& definitions, const Definition& d) {
  return d.kind == K::SystemTreeNodeProperty &&
         definitions.text(get_field<"name", K::SystemTreeNodeProperty>(d))
             .starts_with("tracefold::");
}

// Properties and domains of nodes that are not there are counted, those of others are there. Where
// the original was not reduced last, its nodes may have been left out and have come back.
void check_left_out(RuleBook& rules, const ArchiveFacts& original, const ArchiveFacts& reduced,
                    const DefinitionHashes& before, const DefinitionHashes& after) {
  rules.add_rule("the anchor says how much of the system tree is left out");
  std::set<std::uint64_t> nodes, there;
  for (const auto& d : reduced.definitions.all()) {
    if (d.kind == K::SystemTreeNode)
      nodes.insert(after.find(d));
    there.insert(after.find(d));
  }

  const bool is_next = count_reductions(reduced) == count_reductions(original) + 1;
  const auto above = list_nodes_above(before, after);
  for (const auto kind : {K::SystemTreeNodeProperty, K::SystemTreeNodeDomain}) {
    const auto name = fmt::format("tracefold::cut::{}", get_row(kind).name);
    auto missing = count_cut_definitions(original, name);
    for (const auto& d : original.definitions.all()) {
      if (d.kind != kind || is_told_by_reduction(original.definitions, d))
        continue;
      const bool has_node = nodes.contains(before.find(Ref::system_tree_node, d.id()));
      if (has_node ? !there.contains(before.find(d)) : above.contains(d.id())) {
        if (has_node && is_next)
          rules.add_violation(fmt::format("{} of the original is missing", describe(d)));
        else
          ++missing;
      }
    }

    const auto at = reduced.properties.find(to_upper(name));
    const auto stated = at == reduced.properties.end() ? "0" : at->second;
    if (is_next ? stated != std::to_string(missing)
                : count_cut_definitions(reduced, name) < missing)
      rules.add_violation(
          fmt::format("{} {} are missing, not {}", missing, get_row(kind).name, stated));
  }
}

}  // namespace

bool says_count(std::string_view words, std::uint64_t count) {
  return count == 1 ? !words.empty() : words.starts_with(fmt::format("{}× ", count));
}

NewTreeNodes::NewTreeNodes(const Definitions& original, const Definitions& reduced) {
  const Places before(original), after(reduced);
  std::set<std::string> told;  // paths
  if (before.has_added())
    for (const auto& d : original.all())
      if (d.kind == K::LocationGroup)
        if (const auto place = before.find(d.id())) {
          NodePath path;
          for (auto& node : parse_node_path(*place)) {
            path.push_back(std::move(node));
            told.insert(to_text(path));
          }
        }

  for (const auto& d : reduced.all())
    if (d.kind == K::SystemTreeNode &&
        (after.is_added(d.id()) ||
         (!told.empty() && told.contains(to_text(after.find_path(d.id()))))))
      ids_.insert(d.id());
}

void check_system_tree(RuleBook& rules, const ArchiveFacts& original, const ArchiveFacts& reduced,
                       const DefinitionHashes& before, const DefinitionHashes& after,
                       const PropertiesByLocation& properties) {
  TreeRules(rules, before, after, properties).check();
  check_left_out(rules, original, reduced, before, after);
}

}  // namespace tracefold
