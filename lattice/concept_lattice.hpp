// The complete concept lattice of a context, if it has no more nodes than a limit.
//
// A lattice may have 2 to the power of its intents or attributes nodes, almost all without labels.
// Where there are too many, use the AOC-poset, which has the same information, or functions instead
// of pairs (thesis 4.2.3).
//
// Source: structural VI.A, thesis 3.3 and 4.2.3 (the limit).
#pragma once

#include "lattice/add_intent.hpp"
#include "lattice/hierarchy.hpp"

namespace tracefold::lattice {

// A node for each concept, from the top. None where there are more than `max_nodes`. `intents` are
// distinct rows, as in a Context. Memory: O(width / 8) bytes for each concept, besides the edges.
std::optional<Hierarchy> build_concept_lattice(const BitRows& intents,
                                               std::size_t max_nodes = 100'000);

// Converts a lattice to a Hierarchy. `concepts_of_intents` has the concept of each distinct intent
// that was inserted.
Hierarchy label_concepts(const AddIntent& lattice,
                         const std::vector<std::size_t>& concepts_of_intents);

}  // namespace tracefold::lattice
