// The whole concept lattice of a context, as far as it stays below a limit.
//
// A lattice may have 2 to the power of its intents or of its attributes nodes,
// almost all of them empty. Where the limit is hit, take the AOC-poset, which says
// the same, or functions instead of pairs (thesis 4.2.3).
//
// Source: structural VI.A, thesis 3.3 and 4.2.3 (the limit).
#pragma once

#include "lattice/add_intent.hpp"
#include "lattice/hierarchy.hpp"

namespace tracefold::lattice {

struct ConceptLattice {
  bool complete = true;      // or else it stopped at the limit, and has no graph
  std::size_t concepts = 0;  // how many it has, or had when it stopped
  Hierarchy graph;           // a node for each concept, from the top
  BitRows intents;           // node × attribute: all that the node has
  BitRows extents;           // node × row of the context: all that the node has
};

// `intents` are distinct rows, as in a Context. O(width / 8) bytes for a concept,
// besides its edges.
ConceptLattice build_concept_lattice(const BitRows& intents, std::size_t max_nodes = 100'000);

// Of a lattice into which `concepts_of_intents.size()` distinct intents were inserted.
ConceptLattice label_concepts(const AddIntent& lattice,
                              const std::vector<std::size_t>& concepts_of_intents,
                              std::size_t width);

}  // namespace tracefold::lattice
