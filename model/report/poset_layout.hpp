// The lattice of who does the work of whom, with positions for its nodes. Plain data.
//
// Source: structural VI.A and fig. 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct PosetLayout {
  struct Point {
    double x = 0, y = 0;  // y goes down

    bool operator==(const Point&) const = default;
  };

  struct Node {
    double x = 0, y = 0;              // centre of its box
    double width = 0;                 // of its box
    std::string label;                // what this node adds, or its processes, shortened to fit
    std::string title;                // the full label
    std::vector<std::size_t> groups;  // groups at this node, ascending
    std::uint64_t processes = 0;      // at this node and below
  };

  // From the middle of the lower box's top edge to the middle of the upper box's bottom edge.
  struct Edge {
    std::size_t lower = 0, upper = 0;
    std::vector<Point> bends;  // upwards: where it goes around other nodes
  };

  double width = 0, height = 0;  // of the drawing
  double node_height = 0;        // of all boxes
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

}  // namespace tracefold
