// reduce --like: applies groups and representatives of another run to the processes of this one.
//
// If both runs have the same ranks (without MPI, the same location groups), each process joins the
// group of the process with its rank and thread. Otherwise, and for processes that the other run
// does not have, whole groups of this run join groups of the other one: first the most similar by
// call pairs (filters/comparison/pair_groups.hpp), then any that is similar enough for merging
// (default_threshold). Groups without a counterpart stay groups of their own. Functions are matched
// by name.
//
// Pure functions.
//
// Source: structural V (similarity), VIII.B (merging).
#pragma once

#include "model/like_run.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// By group of the plan: the group of the other run; none: only this run has it.
using GroupsOfRun = std::vector<std::optional<std::size_t>>;

// The plan must have profiles, and groups made with the options of the other run (list_grouping).
// Replaces its groups, in the order of the other run's, and fills its section `like`. Leaves names
// of groups empty.
GroupsOfRun group_like(Plan& plan, const LikeRun& run);

// Replaces representatives that select() has chosen by the processes with the rank and thread of
// the other run's representatives, if they are in the same groups. Lists in the section `like`
// which are not.
void select_like(Plan& plan, const LikeRun& run, const GroupsOfRun& groups);

}  // namespace tracefold
