// The lattice of who does the work of whom, with a place for each node. Plain data.
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
    double x = 0, y = 0;              // of the middle of its box
    double width = 0;                 // of its box
    std::string label;                // what this node adds, or whom it is of, shortened to fit
    std::string title;                // all of it
    std::vector<std::size_t> groups;  // that end here, ascending
    std::uint64_t processes = 0;      // here and below
  };

  // From the middle of the lower box's top to the middle of the upper box's bottom.
  struct Edge {
    std::size_t lower = 0, upper = 0;
    std::vector<Point> bends;  // upwards: where it passes other nodes
  };

  double width = 0, height = 0;  // of the drawing
  double node_height = 0;        // of all boxes
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

}  // namespace tracefold
