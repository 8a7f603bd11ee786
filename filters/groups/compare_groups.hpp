// Measures the similarity of the groups of a plan.
//
// Source: structural V (similarity, subsumption) and VIII.A (the table of groups), thesis 3.2 and
// 3.5.
#pragma once

#include "model/groups/similarity.hpp"

#include <cstddef>

namespace tracefold {

struct Comparison;
struct Plan;
struct UnitedRuns;

inline constexpr std::size_t most_tabulated_sets = 4096;

enum class GroupMeasure { similarity, subsumption };

// Compares by `comparison`, which need not be the one that made the groups. The value of two groups
// is the average over their processes, weighted as in merging. Subsumption uses sets with all
// implied attributes: the transitive closure of call pairs. Throws Error(usage) where the plan has
// no groups, and Error(input) where there are more than most_tabulated_sets different sets.
SimilarityTable compare_groups(const Plan& plan, const Comparison& comparison,
                               GroupMeasure measure);
// The same of the groups of all runs (group() of UnitedRuns::all).
SimilarityTable compare_groups(const UnitedRuns& runs, const Comparison& comparison,
                               GroupMeasure measure);

}  // namespace tracefold
