// Makes the `messages` section from recorded communication: main clusters with one sequence each,
// and columns over their ranks. Pure.
//
// Source: signatures 3.3 (traces merged over ranks, parameters relative or filtered).
#pragma once

#include "model/messages/messages.hpp"

#include <cstdint>
#include <optional>

namespace tracefold {

// The section is incomplete if there are ranks without an MPI number, or processes that were left
// out or not read completely.
Messages fold_messages(const Communication& communication);
// The same if it takes at most `most_bytes` as JSON; otherwise none, which is detected as early as
// possible.
std::optional<Messages> fold_messages_within(const Communication& communication,
                                             std::uint64_t most_bytes);

}  // namespace tracefold
