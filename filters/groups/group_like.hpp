// reduce --like: groups and representatives of another run for the processes of this one.
//
// Where both runs have the same ranks (and without MPI, the same location groups), each process is
// in the group of the one with its rank and thread. Else, and for processes that the other run does
// not have, the groups that this run has by itself go as a whole to those of the other run: each to
// the one whose set of call pairs is the most similar (filters/comparison/pair_groups.hpp), and
// what is left to a group that is as alike as merging asks for (default_threshold). What has no
// counterpart stays a group of its own. Functions are the same by their names.
//
// Pure functions of their arguments.
//
// Source: structural V (similarity), VIII.B (merging).
#pragma once

#include "model/like_run.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// By group of the plan the group of the other run; none: it is of this run alone.
using GroupsOfRun = std::vector<std::optional<std::size_t>>;

// The plan has profiles and groups, made by the options of the other run (list_grouping). Replaces
// its groups, in the order of the other run's, and fills its section `like`. Names of groups are
// left empty.
GroupsOfRun group_like(Plan& plan, const LikeRun& run);

// The plan's representatives, which select() has chosen, are replaced by the processes with the
// rank and thread of those of the other run, where these are in the same groups. Adds to the
// section `like` which are not.
void select_like(Plan& plan, const LikeRun& run, const GroupsOfRun& groups);

}  // namespace tracefold
