// Where the location groups of a trace were on the machine, also where an earlier reduction shows
// groups in the system tree instead (rewrite/group_tree.hpp).
//
// Immutable once made; any thread may ask. The definitions have to stay.
//
// Source: docs/design.md, the rule "tree of groups".
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tracefold {

// The properties by which a reduction says which nodes of the system tree it has added, and where a
// location group was.
inline constexpr const char* tree_property = "tracefold::tree";
inline constexpr const char* node_property = "tracefold::node";

// The class and the name of each node from the root down.
using NodePath = std::vector<std::pair<std::string, std::string>>;

// "machine::cluster / node::node001", as otf2-print names nodes, and back. A class or a name that
// holds " / " or "::" does not come back as it was.
std::string to_text(const NodePath& path);
NodePath parse_node_path(const std::string& text);

class Places {
 public:
  explicit Places(const Definitions& definitions);

  // Whether a node was added by an earlier reduction.
  bool is_added(std::uint64_t node) const { return added_.contains(node); }
  bool has_added() const { return !added_.empty(); }
  // The lowest node of the machine that stands above a location group; none where nothing does.
  std::optional<std::uint64_t> find_node(std::uint64_t location_group) const;
  // The nodes of the machine that are above any of these location groups, also where only the paths
  // tell it to which the location groups belong.
  std::unordered_set<std::uint64_t> find_nodes_above(
      const std::vector<std::uint64_t>& location_groups) const;
  // The node at the top of those above a location group.
  std::optional<std::uint64_t> find_root(std::uint64_t location_group) const;
  // The path to the node on which the location group was. None where nothing tells it, and of very
  // long paths only the lower end.
  std::optional<std::string> find(std::uint64_t location_group) const;
  // The same of a node; nodes that a reduction has added are left out.
  NodePath find_path(std::uint64_t node) const;

 private:
  // Of a node: itself, or the first above it that no reduction has added; and the last such one.
  struct OnMachine {
    std::optional<std::uint64_t> node, root;
  };
  void find_machine_nodes();
  std::optional<std::uint64_t> find_parent(std::uint64_t node) const;
  OnMachine find_on_machine(std::uint64_t node) const;

  const Definitions& definitions_;
  std::unordered_set<std::uint64_t> added_;  // nodes
  std::unordered_map<std::uint64_t, OnMachine> on_machine_;
  std::unordered_map<std::uint64_t, std::string> carried_;  // by location group
};

}  // namespace tracefold
