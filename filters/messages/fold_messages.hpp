// Makes the `messages` section of what was recorded: main clusters with one sequence each, and
// columns over their ranks. Pure.
//
// Source: signatures 3.3 (traces merged over ranks, parameters relative or filtered).
#pragma once

#include "model/messages/messages.hpp"

#include <cstdint>
#include <optional>

namespace tracefold {

// Ranks that MPI does not number, and processes that were left out or not read whole, leave the
// section incomplete.
Messages fold_messages(const Communication& communication);
// The same where it takes at most so many bytes as JSON; else none, found out as early as may be.
std::optional<Messages> fold_messages_within(const Communication& communication,
                                             std::uint64_t most_bytes);

}  // namespace tracefold
