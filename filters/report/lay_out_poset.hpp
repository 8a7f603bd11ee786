// A lattice as a drawing: where its nodes stand and how its edges run, and what is written at each
// node.
//
// Nodes are above those that have more attributes; no two boxes overlap, and no edge runs through a
// box. Equal lattices give equal drawings. 5,000 nodes take less than a second.
//
// Pure. Thread-safe. Source: structural VI.A and fig. 4.
#pragma once

#include "model/groups/lattice_drawing.hpp"
#include "model/report/poset_layout.hpp"

#include <cstdint>
#include <span>

namespace tracefold {

// By index in the plan the group of each process that the lattice is of.
PosetLayout lay_out_poset(const LatticeDrawing& drawing, std::span<const std::uint32_t> group_of);

}  // namespace tracefold
