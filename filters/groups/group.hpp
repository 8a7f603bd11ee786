// group: profiles in, groups of processes that do the same work out.
//
// Source: structural V (equal sets of call pairs) and VIII.B (merging).
#pragma once

#include "model/plan.hpp"

#include <vector>

namespace tracefold {

inline constexpr double default_threshold = 0.83;
inline constexpr std::size_t profile_functions = 32;
inline constexpr std::size_t most_groups_with_similarity =
    1024;                                                // a plan of more says nothing of it
inline constexpr std::size_t most_compared_sets = 8192;  // each with each: 512 MiB

// Fills functions, intents and profiles. `processes` are ascending by id, and
// `profiles.processes[i]` belongs to processes[i]; indexes in profiles point into
// `functions`. Deterministic: the result depends on nothing else.
void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes,
                     Profiles profiles);

// Fills plan.groups, and what they were compared by. At threshold 1 groups are
// processes with equal sets (see filters/comparison.hpp), which without ignored
// functions and combined processes are their intents; below, groups of one type
// are merged while their similarity is at least `threshold`. Groups are ordered
// by their first member. Throws Error(input) where more than most_compared_sets
// differ and a threshold below 1 asks to compare them.
void group(Plan& plan, double threshold, const Comparison& comparison = {});
void group(Plan& plan, const GroupOptions& options);

}  // namespace tracefold
