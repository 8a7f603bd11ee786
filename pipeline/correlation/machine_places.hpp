// Where processes are on the machine: the levels of the system tree as axes of a grid.
//
// The place of a process has a number for each level: which of the nodes below the one above it,
// in the order of their first ranks; and behind these, which of the processes of the lowest node it
// is, by rank. A level that all processes are in one node of is left out unless its name is asked
// for. Where nodes have unequal numbers, some places are empty.
//
// Sources: frequency 2 (node, core and thread as system topology); OTF2 3.0, SystemTreeNode.
#pragma once

#include "pipeline/correlation/view_source.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct MachinePlaces {
  // A process: its rank (or `no_rank`), and its location group.
  using Unit = std::pair<std::uint64_t, std::uint64_t>;
  static constexpr auto no_rank = ~std::uint64_t{0};

  std::vector<std::string> axes;  // classes of the tree's nodes, and "place"; empty: not known
  std::vector<std::size_t> sizes;
  std::map<Unit, std::vector<std::size_t>> places;
};

// Of all processes that have a rank, and of those that are correlated. Not known of a reduced trace
// that does not tell what all processes of its original did. Reads no events.
MachinePlaces find_machine_places(const CorrelatedTrace& trace,
                                  const std::vector<std::string>& asked);

}  // namespace tracefold
