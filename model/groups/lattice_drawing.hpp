// The lattice of processes and of what they call, ready to be drawn or to be given to another
// program: sets are replaced by names. Plain data.
//
// Source: structural VI.A and fig. 4, thesis fig. 3.9 and 4.13.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// A lattice, or the part of it at whose nodes a process or an attribute stands. A node has the
// attributes that stand at it and at all nodes above it.
struct LatticeDrawing {
  struct Node {
    std::vector<std::string> processes;   // those that stand here: by rank, "rank 1-15"
    std::uint64_t count = 0;              // number of them, each counted with its weight
    std::uint64_t reaching = 0;           // the same for all that stand here or below
    std::vector<std::string> attributes;  // those that stand here, such as "main -> MPI_Init"
    std::uint64_t inherited = 0;          // number of attributes that stand at nodes above
    std::string paradigm;         // of most attributes that stand here; empty where there are none
    std::vector<std::size_t> up;  // the nodes right above, ascending
    // Of the attributes that stand here those that lead to the others: calls by functions that no
    // other of them calls.
    std::vector<std::string> entries = {};
    std::vector<std::size_t> members = {};  // those that stand here, as indexes of the plan

    bool operator==(const Node&) const = default;
  };

  std::string kind;              // "AOC-poset" or "concept lattice"
  std::string attribute;         // what was compared: "pairs" or "functions"
  bool is_closed = false;        // pairs are who calls whom, also through others
  bool has_only_ranks = false;   // all processes are first threads of ranks
  std::uint64_t processes = 0;   // number at all nodes, each counted with its weight
  std::uint64_t attributes = 0;  // number at all nodes
  std::vector<Node> nodes;       // from the top: an edge upwards leads to a lower number

  // The part of all attributes that stands at a node: 0 to 1.
  double share(const Node& node) const {
    if (attributes == 0)
      return 0;

    return static_cast<double>(node.attributes.size()) / static_cast<double>(attributes);
  }
};

// A formal context with names, as programs for formal concept analysis read it.
struct NamedContext {
  std::vector<std::string> objects;          // names, all different
  std::vector<std::string> attributes;       // names, all different
  std::vector<std::vector<bool>> incidence;  // by object, by attribute

  bool operator==(const NamedContext&) const = default;
};

}  // namespace tracefold
