// Builds the AOC-poset (Galois sub-hierarchy) of a context: the nodes of its concept lattice that
// have a label, with their order. It has the same information as the lattice, with at most intents
// + attributes nodes, while the lattice may have 2 to the power of either.
//
// With n intents, m attributes and N nodes: O((n·m·n + N·n·N + edges·N) / 64) time;
// (n·m + 2·n·N + N²) / 8 bytes.
//
// Source: structural VI, thesis 4.2.3; Berry, Huchard, Napoli, Sigayret: Hermes
// (2012), of which this takes the idea that attributes with equal extents are one
// and that what is above an object concept can be read off the object's row.
#pragma once

#include "lattice/hierarchy.hpp"

namespace tracefold::lattice {

// `intents` are distinct rows, as in a Context. Attributes that no intent has label a bottom node
// of their own.
Hierarchy build_aoc_poset(const BitRows& intents);

}  // namespace tracefold::lattice
