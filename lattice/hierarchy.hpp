// A concept lattice or an AOC-poset as a graph to draw, in which each intent and each attribute is
// written at one node only.
//
// An edge leads from a node to one right above it, which has fewer attributes and
// more objects. A node has the attributes that stand at it and at all nodes that
// are reached along edges; its objects are those that stand at it and at all
// nodes from which it is reached. Every intent and every attribute stands at
// exactly one node. The graph is transitively reduced.
//
// Nodes are numbered from the top: by the number of intents at and below them,
// largest first, then by those intents in the context's order. So every edge
// leads to a lower number, and equal orders have equal numbers.
//
// Source: structural VI.A and fig. 4, thesis 3.3 and fig. 3.9.
#pragma once

#include "lattice/bits.hpp"

#include <boost/graph/adjacency_list.hpp>

#include <optional>

namespace tracefold::lattice {

struct Node {
  std::optional<std::size_t> intent;    // row of the context whose objects stand here
  std::vector<std::size_t> attributes;  // columns of the context, ascending
  bool empty() const { return !intent && attributes.empty(); }
  bool operator==(const Node&) const = default;
};

using Hierarchy = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node>;

// The numbers of `extents` (distinct sets of intents) in the order of nodes.
std::vector<std::size_t> order_from_top(const BitRows& extents);

// Adds the edges of an order: row x of `up` has the bits of x and of all above
// it, each of a number below x. Takes O(edges · nodes / 64).
void add_covers(Hierarchy& hierarchy, const BitRows& up);

}  // namespace tracefold::lattice
