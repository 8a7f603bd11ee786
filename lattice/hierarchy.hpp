// A concept lattice or AOC-poset as a graph for drawing. Each intent and each attribute labels
// exactly one node.
//
// An edge leads from a node to a direct upper node, which has fewer attributes and more objects.
// The attributes of a node are its labels and those of all nodes that can be reached along edges;
// its objects are its labels and those of all nodes that reach it. The graph is transitively
// reduced.
//
// Nodes are numbered from the top: by the number of intents at and below them, the largest first,
// then by these intents in the context's order. So every edge leads to a lower number, and equal
// orders have equal numbers.
//
// Source: structural VI.A and fig. 4, thesis 3.3 and fig. 3.9.
#pragma once

#include "lattice/bits.hpp"

#include <boost/graph/adjacency_list.hpp>

#include <optional>

namespace tracefold::lattice {

struct Node {
  std::optional<std::size_t> intent;    // row of the context whose objects label this node
  std::vector<std::size_t> attributes;  // columns of the context, ascending
  bool empty() const { return !intent && attributes.empty(); }
  bool operator==(const Node&) const = default;
};

using Hierarchy = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node>;

// The indexes of `extents` (distinct sets of intents) in the order of nodes.
std::vector<std::size_t> order_from_top(const BitRows& extents);

// Adds the edges of an order: row x of `up` has the bits of x and of all nodes above it, whose
// numbers are below x. Takes O(edges · nodes / 64).
void add_covers(Hierarchy& hierarchy, const BitRows& up);

}  // namespace tracefold::lattice
