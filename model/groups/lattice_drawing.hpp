// A lattice of processes and what they call, as it is drawn: labels made, and
// nothing of sets left. Plain data.
//
// Source: structural VI.A and fig. 4, thesis fig. 3.9 and 4.13.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct LatticeDrawing {
  struct Node {
    std::vector<std::string> processes;  // those that stand here, condensed, as in "MPI 1-15"
    std::uint64_t count = 0;             // of them, weighted
    std::uint64_t reaching =
        0;  // those that stand here or below, weighted: all that have the node's attributes
    std::vector<std::string>
        attributes;  // those that stand here and come to all below, as in "main -> MPI_Init"
    std::uint64_t inherited = 0;  // attributes that come from above
    std::string paradigm;         // of most of the attributes that stand here; empty without any
    std::vector<std::size_t> up;  // the nodes right above, ascending

    bool operator==(const Node&) const = default;
  };

  std::string kind;                             // of lattice: "AOC-poset" or "concept lattice"
  std::string attribute;                        // of what: "pairs" or "functions"
  std::uint64_t processes = 0, attributes = 0;  // of all nodes
  std::vector<Node> nodes;                      // from the top; an edge leads to a lower number

  // The part of all attributes that stands at a node.
  double share(const Node& node) const {
    return attributes
               ? static_cast<double>(node.attributes.size()) / static_cast<double>(attributes)
               : 0;
  }
};

}  // namespace tracefold
