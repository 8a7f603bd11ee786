// Members of a team read other processes each, and a message has two ends: each member gets what
// the others know of the messages whose other ends it reads, and nothing else.
//
// Memory: at each member the times of the messages of its own processes, at both ends; at the first
// one, the same of processes that it may read once more.
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/messages/message_matcher.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

class Team;
struct Plan;

// By process that is matched.
using MessagesByProcess = std::map<std::size_t, LocationMessages>;

// Takes what a member found of its own processes, and returns what it is to know of all: of other
// processes only times, of some channels. The first member gets to know as much of the processes in
// `read_again` as who owns them. Without a team it is the same.
MessagesByProcess deal_messages(Team* team, const Definitions& definitions, const Plan& plan,
                                const MessageMatcher& matcher,
                                const std::vector<std::size_t>& read_again, MessagesByProcess own);

}  // namespace tracefold
