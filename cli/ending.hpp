// The last lines of a command that wrote a trace, for someone who reads nothing else: groups,
// loops, how wrong the trace is and what improves it, messages, what was left out, and how to open
// it. They are at most `most_ending_lines` of 80 columns, but where --wide was asked for, or the
// terminal is wider.
#pragma once

#include "pipeline/reduce/reduce.hpp"

#include <cstddef>
#include <string>

namespace tracefold::cli {

class Session;

inline constexpr std::size_t most_ending_lines = 25;

// Sets how wide lines are where neither a terminal nor the environment says it.
std::string write_ending(const Session& session, const Reduction& made);

}  // namespace tracefold::cli
