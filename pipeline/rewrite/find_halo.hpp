// Finds the halo of a plan: which processes that are not kept stay as the other ends of messages of
// kept ones.
//
// Reads the kept locations once, with their iterations collapsed, to find their partners. If the
// halo is bounded, the best candidates are read as well, and if iterations are collapsed the kept
// locations again, so that the events that would stay are counted, not guessed.
//
// A partner stays with all of its locations that send or receive messages. It must be a process of
// the plan, or halo of an earlier reduction. If the halo is not bounded, such locations of kept
// ranks stay in it, too, as messages of a rank stay only where all of these do.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

namespace tracefold {

struct Plan;

// Fills plan.halo->ranks, if the plan has a halo. Runs in parallel; the result does not depend on
// the number of threads. Damage of locations is not reported here. Throws Error(input).
void find_halo(const Archive& archive, Plan& plan, const ReadOptions& options);

}  // namespace tracefold
