// The whole concept lattice of a context, where it has no more nodes than a limit.
//
// A lattice may have 2 to the power of its intents or of its attributes nodes,
// almost all of them empty. Where it has too many, take the AOC-poset, which tells
// the same, or functions instead of pairs (thesis 4.2.3).
//
// Source: structural VI.A, thesis 3.3 and 4.2.3 (the limit).
#pragma once

#include "lattice/add_intent.hpp"
#include "lattice/hierarchy.hpp"

namespace tracefold::lattice {

// A node for each concept, from the top; nothing where there are more than `max_nodes`. `intents`
// are distinct rows, as in a Context. O(width / 8) bytes for a concept, besides its edges.
std::optional<Hierarchy> build_concept_lattice(const BitRows& intents,
                                               std::size_t max_nodes = 100'000);

// The concepts of a lattice as a Hierarchy. `concepts_of_intents` has the concept of each of the
// distinct intents that were inserted into the lattice.
Hierarchy label_concepts(const AddIntent& lattice,
                         const std::vector<std::size_t>& concepts_of_intents);

}  // namespace tracefold::lattice
