// The loops of groups: a table for people, CSV and JSON for programs.
//
// Names may hold anything: in a table control characters are shown as '?', CSV
// quotes as RFC 4180 says, JSON has U+FFFD for what is no UTF-8. CSV and JSON give
// times in seconds; a trace without a clock counts as one of 10^9 ticks a second.
#pragma once

#include "model/iterations/loops.hpp"

#include <string>

namespace tracefold {

struct Plan;

std::string to_table(const Plan& plan, const LoopReport& report);
// One header, and one line per loop of a group; a group without has one, too.
std::string to_csv(const Plan& plan, const LoopReport& report);
std::string to_json(const Plan& plan, const LoopReport& report);

}  // namespace tracefold
