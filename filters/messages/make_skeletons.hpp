// Writes down what the ranks of each group communicate, as a program that can be read.
//
// Lines are as equal as they look: tags, roots and communicators do not part them, so that more is
// folded than where nothing may be lost. Where lines of different sizes are many, and without their
// sizes at most half as many, lines are of all sizes.
//
// Pure. Source: signatures 2 (RSDs and PRSDs).
#pragma once

#include "model/messages/communication.hpp"
#include "model/messages/skeleton.hpp"
#include "model/profile/process_profiles.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

// More lines than people read: then they are tried without sizes.
inline constexpr std::size_t most_lines_with_sizes = 60;

// Of the groups of the plan that have operations. `profiles` are of processes of the plan, and may
// lack some.
std::vector<Skeleton> make_skeletons(const Plan& plan, const Communication& communication,
                                     const ProcessProfiles& profiles);

}  // namespace tracefold
