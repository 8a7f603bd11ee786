// Arranges a graph without cycles in layers, with few crossings. Each edge leads from a layer to
// one above it; where it passes other layers, it has a point in each.
//
// Layers follow from the longest paths from the top; nodes with more edges downwards than upwards
// are as low as possible. Within a layer, points are ordered by the mean place of their neighbours,
// in sweeps up and down, of which the best is kept; in a small graph, each point then moves to the
// place with the fewest crossings. Deterministic.
//
// With p points and e pieces of edges, each of at most 24 sweeps takes O((p + e) · log p); very
// large graphs get fewer. Pure. Thread-safe.
//
// Source: Sugiyama, Tagawa, Toda: Methods for Visual Understanding of Hierarchical System
// Structures (1981).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct LayeredGraph {
  // Nodes come first, in their order, then the points of edges.
  using Point = std::uint32_t;

  struct Edge {
    Point lower = 0, upper = 0;
    std::vector<Point> between;  // from the lower to the upper one
  };

  std::size_t nodes = 0;
  std::vector<std::size_t> layer_of;       // by point; 0 is the top
  std::vector<std::vector<Point>> layers;  // from left to right
  std::vector<std::vector<Point>> up,
      down;  // by point: its neighbours in adjacent layers
  std::vector<Edge> edges;
};

// `up` has the direct upper nodes of each node, which have lower numbers.
LayeredGraph make_layers(const std::vector<std::vector<std::size_t>>& up);

// The number of pairs of edges that cross between layers.
std::uint64_t count_crossings(const LayeredGraph& graph);

}  // namespace tracefold
