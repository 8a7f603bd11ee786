// A concept lattice without the concepts that no object belongs to: what an AOC-poset is.
#pragma once

#include "lattice/hierarchy.hpp"

#include <algorithm>
#include <vector>

namespace tracefold::lattice {

inline Hierarchy strip_hierarchy(const Hierarchy& hierarchy) {
  const std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> number(num_vertices(hierarchy), none);
  std::size_t nodes = 0;
  for (std::size_t x = 0; x < number.size(); ++x)
    if (!hierarchy[x].empty())
      number[x] = nodes++;

  Hierarchy kept(nodes);
  BitRows reached(number.size(), nodes), up(nodes, nodes);

  for (std::size_t x = 0; x < number.size(); ++x) {
    for (auto [edge, end] = out_edges(x, hierarchy); edge != end; ++edge)
      unite(reached.row(x), reached.row(target(*edge, hierarchy)));
    if (number[x] == none)
      continue;
    kept[number[x]] = hierarchy[x];
    set_bit(reached.row(x), number[x]);
    std::ranges::copy(reached.row(x), up.row(number[x]).begin());
  }

  add_covers(kept, up);

  return kept;
}

}  // namespace tracefold::lattice
