// Members of a team read different processes, and a message has two ends. So each member gets what
// the others know of the messages whose other ends it reads.
//
// Memory: at each member the times of the messages of its own processes, at both ends; at the first
// one also those of processes that it may read again.
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/messages/message_matcher.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

class Team;
struct Plan;

// By matched process.
using MessagesByProcess = std::map<std::size_t, LocationMessages>;

// Takes what this member found of its own processes, and returns what it needs to know of all: of
// other processes only times on some channels. The first member gets everything about the processes
// in `read_again`. Without a team, returns `own`.
MessagesByProcess deal_messages(Team* team, const Definitions& definitions, const Plan& plan,
                                const MessageMatcher& matcher,
                                const std::vector<std::size_t>& read_again, MessagesByProcess own);

}  // namespace tracefold
