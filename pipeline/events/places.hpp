// The places of location groups on the machine, even if an earlier reduction shows groups in the
// system tree (rewrite/group_tree.hpp).
//
// Immutable, thread-safe. The definitions must outlive it.
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

// Properties of nodes that a reduction has added to the system tree, and of location groups, for
// their former places.
inline constexpr const char* tree_property = "tracefold::tree";
inline constexpr const char* node_property = "tracefold::node";

// Class and name of each node, from the root down.
using NodePath = std::vector<std::pair<std::string, std::string>>;

// "machine::cluster / node::node001", as otf2-print names nodes, and back. Classes and names with
// " / " or "::" are not restored exactly.
std::string to_text(const NodePath& path);
NodePath parse_node_path(const std::string& text);

class Places {
 public:
  explicit Places(const Definitions& definitions);

  // Whether an earlier reduction added the node.
  bool is_added(std::uint64_t node) const { return added_.contains(node); }
  bool has_added() const { return !added_.empty(); }
  // The lowest node of the machine above a location group, if there is one.
  std::optional<std::uint64_t> find_node(std::uint64_t location_group) const;
  // The nodes of the machine above any of these location groups, even if these are known only from
  // paths.
  std::unordered_set<std::uint64_t> find_nodes_above(
      const std::vector<std::uint64_t>& location_groups) const;
  // The topmost node above a location group.
  std::optional<std::uint64_t> find_root(std::uint64_t location_group) const;
  // The path to the former node of a location group, if it is known. Of very long paths only the
  // lower end.
  std::optional<std::string> find(std::uint64_t location_group) const;
  // The path to a node, without nodes that a reduction has added.
  NodePath find_path(std::uint64_t node) const;

 private:
  // By node: itself or the first node above it that was not added, and the topmost such node.
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
