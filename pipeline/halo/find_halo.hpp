// Finds the halo of a plan: which partners of its kept processes stay as the other end of their
// messages.
//
// The kept locations are read once, with their iterations collapsed, for whom they exchange
// messages with. Where the halo is bounded, the partners that come first are read as well, and the
// kept ones once more where iterations are collapsed: so that the events that would stay are
// counted, and not guessed.
//
// A partner stays with all of its locations that send or receive messages. It has to be a process
// of the plan, or halo of a trace that was reduced before.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

namespace tracefold {

struct Plan;

// Fills plan.halo->ranks, where a halo is asked for. In parallel; the
// result does not depend on the number of threads. What is odd about locations is not told. Throws
// Error(input).
void find_halo(const Archive& archive, Plan& plan, const ReadOptions& options);

}  // namespace tracefold
