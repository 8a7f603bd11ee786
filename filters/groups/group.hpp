// group: finds groups of processes that do the same work from their profiles.
//
// The functions change only the given plan and depend only on their arguments.
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
// A plan with more groups has no similarities.
inline constexpr std::size_t most_groups_with_similarity = 1024;
// Merging compares all pairs of sets; the matrix of so many takes 512 MiB.
inline constexpr std::size_t most_compared_sets = 8192;

// Throws Error(usage) where options contradict each other.
void check_grouping(const GroupOptions& options);

// Fills the plan's functions, intents and processes. `processes` are ascending by id and correspond
// to profiles.processes. Functions in the profiles are indexes into `functions`.
void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes,
                     Profiles profiles);

// Fills plan.groups, and records the comparison. At threshold 1, a group is the processes with
// equal sets (filters/groups/comparison.hpp); without ignored functions and combined processes,
// these are the processes of one intent. Below 1, sets of one kind are merged while their
// similarity is at least `threshold`. Groups are ordered by first member. Removes sections of later
// stages from the plan. Throws Error(input) where the threshold is below 1 and there are more than
// most_compared_sets different sets.
void group(Plan& plan, double threshold, const Comparison& comparison = {});
void group(Plan& plan, const GroupOptions& options);

// Replaces the groups by others, each of which is made of some of them (indexes, ascending, by
// first member). Similarities are averages, weighted by processes. The same sections are removed.
void merge_groups(Plan& plan, const std::vector<std::vector<std::size_t>>& merged);

// The same as group() for signatures: processes with operations are in one group if their ranks are
// in one cluster (filters/messages/signature_clusters.hpp) and they have the same index among the
// rank's processes with operations. All others are grouped by call pairs. Ignored functions are
// removed from call paths, too.
void group_by_signature(Plan& plan, const Communication& communication,
                        const Comparison& comparison);

}  // namespace tracefold
