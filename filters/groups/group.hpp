// group: profiles in, groups of processes that do the same work out.
//
// Both functions change only the plan that they are given, and depend on nothing but their
// arguments.
//
// Source: structural V (equal sets of call pairs) and VIII.B (merging).
#pragma once

#include "model/messages/communication.hpp"
#include "model/plan_options.hpp"
#include "model/profile/intent.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;
struct Profiles;

inline constexpr double default_threshold = 0.83;
// A plan with more groups does not hold the similarity between them.
inline constexpr std::size_t most_groups_with_similarity = 1024;
// Merging compares each set with each other one: so many take 512 MiB.
inline constexpr std::size_t most_compared_sets = 8192;

// Throws Error(usage) where the options contradict each other.
void check_grouping(const GroupOptions& options);

// Fills functions, intents and processes of the plan. `processes` are ascending by id, and
// `profiles.processes[i]` belongs to processes[i]. Indexes of functions in the profiles point into
// `functions`.
void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes,
                     Profiles profiles);

// Fills plan.groups, and records how they were compared. At threshold 1, groups are the processes
// with equal sets (filters/groups/comparison.hpp), which without ignored functions and combined
// processes are the processes of one intent. Below 1, sets of one kind are merged while their
// similarity is at least `threshold`. Groups are ordered by their first member. Removes what later
// stages had added to the plan. Throws Error(input) where the threshold is below 1 and more than
// most_compared_sets sets differ.
void group(Plan& plan, double threshold, const Comparison& comparison = {});
void group(Plan& plan, const GroupOptions& options);

// The same where communication is compared: processes with operations are one group where
// their ranks are one cluster (see filters/messages/signature_clusters.hpp) and they stand at the
// same place among the rank's processes with operations; all others are grouped by call pairs.
// Ignored functions are left out of call paths, too.
void group_by_signature(Plan& plan, const Communication& communication,
                        const Comparison& comparison);

}  // namespace tracefold
