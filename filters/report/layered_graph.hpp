// A graph without cycles in layers, with few crossings of edges: every edge leads from a layer to
// one above it, and where it passes layers, a point in each of them stands for it.
//
// Layers are those of the longest paths from the top; nodes with more edges downwards than upwards
// stand as low as they can. The order in a layer is that of the means of their neighbours' places,
// in sweeps up and down, the best of which stays; and each point of a small graph goes where its
// edges cross fewest others. Deterministic: equal graphs give equal layers.
//
// With p points and e pieces of edges: O((p + e) · log p) time for each of at most 24 sweeps, fewer
// where there are very many. Pure. Thread-safe.
//
// Source: Sugiyama, Tagawa, Toda: Methods for Visual Understanding of Hierarchical System
// Structures (1981).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct LayeredGraph {
  // The nodes come first, in their order, then the points of edges.
  using Point = std::uint32_t;

  struct Edge {
    Point lower = 0, upper = 0;
    std::vector<Point> between;  // from the lower to the upper one
  };

  std::size_t nodes = 0;
  std::vector<std::size_t> layer_of;       // by point; 0 is the top
  std::vector<std::vector<Point>> layers;  // from left to right
  std::vector<std::vector<Point>> up,
      down;  // by point: its neighbours in the layers beside its own
  std::vector<Edge> edges;
};

// By node those right above it; each of a lower number.
LayeredGraph make_layers(const std::vector<std::vector<std::size_t>>& up);

// How many pairs of edges cross between layers.
std::uint64_t count_crossings(const LayeredGraph& graph);

}  // namespace tracefold
