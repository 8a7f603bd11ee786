// Makes the system tree of a reduced trace: its nodes, and the node above each location group.
//
// If the tree shows the machine, location groups stay below their nodes. If it shows groups, each
// stands below the node of the group of its first kept location, for example "36× like rank 36",
// and inner nodes divide further:
//
//   main cluster   of signatures; only if it has several groups
//     group
//       merged     a set of equal processes; only if a threshold merged several sets
//         cluster  of times, named after the process that stands for it; only if there are several
//
// Location groups with only halo stand below a node "partners". A location group without locations
// of its own stands with the first one that it created. No node is empty, since viewers would show
// it. All nodes stand below the machine's root if there is exactly one. They are ordered by their
// first location group.
//
// A trace that shows groups already gets a new tree: its group nodes are left out, and places on
// the machine come from what that trace stores (events/places.hpp).
//
// Pure function; the same for the same plan and definitions.
//
// Source: docs/design.md, the rule "tree of groups".
#pragma once

#include "pipeline/rewrite/kept_locations.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// A node of the original that stays, by its id there, or an added node, by its index among these.
struct TreeNodeRef {
  std::uint64_t id = 0;
  bool is_added = false;

  bool operator==(const TreeNodeRef&) const = default;
};

struct AddedTreeNode {
  std::string name, class_name;
  std::optional<TreeNodeRef> parent;  // an earlier added node, or one of the original; none: a root
  bool is_of_machine = false;         // an earlier reduction left it out; it comes back
  std::optional<std::uint32_t> group;  // number in the plan, if the node is a group
};

struct SystemTree {
  std::vector<AddedTreeNode> nodes;
  // The node above a location group, by its id in the original. Groups that are not here keep
  // theirs.
  std::unordered_map<std::uint64_t, std::optional<TreeNodeRef>> parents;
  // Where location groups below group nodes were on the machine, if known.
  std::unordered_map<std::uint64_t, std::string> places;
};

// Whether the tree differs from that of the original.
bool changes_tree(const Definitions& original, const Plan& plan);

// Which tree to make is in the plan's section `write`; without that, the machine.
SystemTree make_system_tree(const Definitions& original, const Plan& plan,
                            const KeptLocations& kept);

// The name of a group's tree node and of its OTF2 group of locations: for how many processes it
// stands (if several), a kept process, and what distinguishes it:
// "36× like rank 36 · inside of the grid". If nothing does: "48× like rank 1".
std::string name_group(const Plan& plan, std::uint32_t group, std::uint64_t count,
                       std::size_t example);

}  // namespace tracefold
