// The lattice of processes and what they call, with names in place of sets, to be drawn or
// exported. Plain data.
//
// Source: structural VI.A and fig. 4, thesis fig. 3.9 and 4.13.
#pragma once

#include "model/groups/run_share.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// A lattice, or the part of it whose nodes are labelled with a process or an attribute. A node has
// its own attributes and those of all nodes above it.
struct LatticeDrawing {
  struct Node {
    std::vector<std::string> processes;   // labels of this node, by rank: "rank 1-15"
    std::uint64_t count = 0;              // number of these processes, with their weights
    std::uint64_t reaching = 0;           // the same for this node and all below
    std::vector<std::string> attributes;  // labels of this node, such as "main -> MPI_Init"
    std::uint64_t inherited = 0;          // number of attributes at nodes above
    std::string paradigm;                 // of most of its attributes; empty without any
    std::vector<std::size_t> up;          // the direct upper nodes, ascending
    // The attributes of this node that lead to its others: calls by functions that none of its
    // attributes calls.
    std::vector<std::string> entries = {};
    std::vector<std::size_t> members = {};  // the processes that label it, as indexes of the plan
    // By run, where several are drawn: `count` and `reaching`.
    std::vector<std::uint64_t> of_runs = {}, reaching_of_runs = {};
    // Of its attributes, those with most first.
    std::vector<std::pair<std::string, std::uint64_t>> paradigms = {};

    bool operator==(const Node&) const = default;
  };

  std::string kind;              // "AOC-poset" or "concept lattice"
  std::string attribute;         // what was compared: "pairs" or "functions"
  bool is_closed = false;        // pairs are transitive: who calls whom, directly or not
  bool has_only_ranks = false;   // all processes are first threads of ranks
  std::uint64_t processes = 0;   // number at all nodes, with their weights
  std::uint64_t attributes = 0;  // number at all nodes
  std::vector<Node> nodes;       // from the top: upper nodes have lower numbers
  std::vector<RunShare> runs;    // empty: all processes are of one run

  // The share of all attributes that label this node: 0 to 1.
  double share(const Node& node) const {
    if (attributes == 0)
      return 0;

    return static_cast<double>(node.attributes.size()) / static_cast<double>(attributes);
  }
};

// A formal context with names, for programs for formal concept analysis.
struct NamedContext {
  std::vector<std::string> objects;          // names, all different
  std::vector<std::string> attributes;       // names, all different
  std::vector<std::vector<bool>> incidence;  // by object, by attribute

  bool operator==(const NamedContext&) const = default;
};

}  // namespace tracefold
