// How alike the groups of a plan are.
//
// Source: structural V (similarity, subsumption) and VIII.A (the table of groups), thesis 3.2 and
// 3.5.
#pragma once

#include "model/groups/similarity.hpp"

#include <cstddef>

namespace tracefold {

struct Comparison;
struct Plan;

inline constexpr std::size_t most_tabulated_sets = 4096;

enum class GroupMeasure { similarity, subsumption };

// Compares by `comparison`, which need not be what the groups were made by. The value between two
// groups is the average over their processes, each counted with its weight, as in merging.
// Subsumption is measured on sets with all that they imply, which for call pairs is their
// transitive closure. Throws Error(usage) where the plan has no groups, and Error(input) where more
// than most_tabulated_sets sets differ.
SimilarityTable compare_groups(const Plan& plan, const Comparison& comparison,
                               GroupMeasure measure);

}  // namespace tracefold
