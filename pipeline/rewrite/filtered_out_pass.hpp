// Finds which locations that a filter left out send or receive messages.
//
// Such locations have no profile, and records of their partners stay only if theirs do. So
// locations that were left out of processes in the plan are read once.
//
// Source: docs/design.md, the rule "messages need both ends".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

struct Plan;

// Returns ids, ascending. Looks only at processes with another location in the plan, and only if
// some location in the plan records messages. A location that cannot be read whole counts as
// recording some. Runs in parallel.
std::vector<std::uint64_t> find_filtered_out_with_messages(const Archive& archive, const Plan& plan,
                                                           const ReadOptions& options);

}  // namespace tracefold
