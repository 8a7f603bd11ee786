// Finds which locations that a filter left out send or receive messages.
//
// No profile tells of them, and their partners' records stay only where theirs do. So the left-out
// locations of processes that are in the plan are read once.
//
// Source: docs/design.md, the rule "messages need both ends".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

struct Plan;

// Ids of locations that the plan's filters leave out and that record messages, ascending. Looks
// only at processes of which another location is in the plan, and only where some location in the
// plan records messages. A location that cannot be read whole is taken to record some. In parallel.
std::vector<std::uint64_t> find_filtered_out_with_messages(const Archive& archive, const Plan& plan,
                                                           const ReadOptions& options);

}  // namespace tracefold
