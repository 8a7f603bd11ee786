// The last lines of a command that wrote a trace, for someone who reads nothing else: how small it
// is, groups, how wrong that is and what improves it, messages, and how to open it; with --verbose
// also loops, errors by kind, and what was left out. Without these and --wide they are at most
// `most_ending_lines` of 80 columns.
#pragma once

#include "pipeline/reduce/reduce.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold::cli {

class Session;

inline constexpr std::size_t most_ending_lines = 16;

// Sets how wide lines are where neither a terminal nor the environment says it.
std::string write_ending(const Session& session, const Reduction& made);

// The first line of it: "64 → 7 rows, 7.7 MiB → 909 KiB (8.7 times smaller), 0.8 s".
std::string describe_result(const Session& session, const Reduction& made);

// What was made of one of several traces, in words.
struct ResultRow {
  std::string trace, rows, bytes, factor, grade;
};
ResultRow describe_in_row(const std::string& trace, const Reduction& made);
// A table of all of them.
std::string write_results(const std::vector<ResultRow>& results);

}  // namespace tracefold::cli
