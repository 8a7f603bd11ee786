// How alike the groups of a plan are.
//
// Source: structural V (similarity, subsumption) and VIII.A (the matrix between
// groups), thesis 3.2 and 3.5.
#pragma once

#include "model/groups/similarity_table.hpp"
#include "model/plan.hpp"

namespace tracefold {

inline constexpr std::size_t most_tabulated_sets = 4096;

// By what `comparison` says, which need not be what the groups were made by.
// Between groups of processes with different sets it is the average over their
// processes, as in merging itself. Subsumption of pairs is that of the transitive
// closures, of functions that of the sets. Throws Error(usage) where the plan has
// no groups, Error(input) where more than most_tabulated_sets processes differ.
SimilarityTable similarity_table(const Plan& plan, const Comparison& comparison, bool subsumption);

}  // namespace tracefold
