// The system tree of a reduced trace: the nodes that it gets, and which of them each location group
// stands below.
//
// Where the tree shows the machine, location groups stay below the nodes that they were below.
// Where it shows groups, each stands below the node of the group of its first kept location, which
// is called "36× like rank 36", and inner nodes part a group further:
//
//   main cluster   of signatures, where several groups are of one
//     group
//       merged     a set of equal processes; where a threshold has merged several
//         cluster  of times, with the one process that stands for it; where there are several
//
// Location groups of which only halo stays stand below a node "partners", those that are there only
// because they created others beside the first of these. No node is without rows: viewers would
// show it as an empty one. All of them stand below the root of the machine where the trace has one
// alone, so that who asks for the machine finds it. Nodes are ordered by the first location group
// below them.
//
// A trace that shows groups already gets a tree anew: its groups are left out, and places on the
// machine come from where that trace keeps them (events/places.hpp).
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

// A node that stays of the original, by its id there, or one that is added, by its place among
// these.
struct TreeNodeRef {
  std::uint64_t id = 0;
  bool is_added = false;

  bool operator==(const TreeNodeRef&) const = default;
};

struct AddedTreeNode {
  std::string name, class_name;
  std::optional<TreeNodeRef> parent;   // of the original or before it; none: a root
  bool is_of_machine = false;          // was left out before, and comes back
  std::optional<std::uint32_t> group;  // in the plan, of a node that is one
};

struct SystemTree {
  std::vector<AddedTreeNode> nodes;
  // By location group, in ids of the original. One that is not here keeps the node that it has.
  std::unordered_map<std::uint64_t, std::optional<TreeNodeRef>> parents;
  // Where those location groups were that stand below groups, as far as that is known.
  std::unordered_map<std::uint64_t, std::string> places;
};

// Whether the tree is another one than that of the original.
bool changes_tree(const Definitions& original, const Plan& plan);

// The plan says in its section `write` what the tree is to show; without one it shows the machine.
SystemTree make_system_tree(const Definitions& original, const Plan& plan,
                            const KeptLocations& kept);

// What the node of a group is called, and its OTF2 group of locations: for how many processes it
// stands where these are several, which kept process they are like, and what sets them apart:
// "36× like rank 36 · inside of the grid". Where nothing does, it is called as everywhere:
// "48× like rank 1".
std::string name_group(const Plan& plan, std::uint32_t group, std::uint64_t count,
                       std::size_t example);

}  // namespace tracefold
