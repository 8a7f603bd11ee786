// The groups of a plan as a table for people, and as CSV for programs. In JSON they are part of the
// plan itself.
#pragma once

#include "model/groups/group_reasons.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// The plan has groups. Each has a row with its count and members and, where representatives were
// selected, with the kept processes. Below it stand, where they say more: how processes were
// compared, whom each kept process represents, and the similarity between groups where there are
// at most largest_matrix.
std::string to_group_table(const Plan& plan);

// The same in few lines, for the end of a command that wrote a trace: of each group its processes
// and who is kept of them. Of more than `most_groups` groups those with most processes; then a line
// tells how many there are besides. Below a group stands in one line why it is apart, as far as
// `reasons` tells that and so many lines have room: of groups with most processes first.
std::string to_short_group_table(const Plan& plan, std::size_t most_groups,
                                 const std::vector<GroupReason>& reasons, std::size_t most_reasons);

// A line for each group, with the ids and the MPI ranks of its members as ranges.
std::string to_group_csv(const Plan& plan);

}  // namespace tracefold
