// Describes groups of processes by functions that only they call, or only they do not call. Pure.
#pragma once

#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct CallWords {
  std::string calls;                // "" where there is no such description
  std::vector<std::string> others;  // the best first
};

// For each group of the plan, `calls` is:
//   calls write_output           every member calls it, and no process of another group does
// and `others` are:
//   lacks exchange_3             no member calls it, and every process of the other groups does
//   calls MPI_Send in exchange   the same for call pairs
//   lacks MPI_Send in exchange
// What groups lack is compared within one location type, and first threads only with first threads.
// At most two functions are named, those with the most time, and those of libraries (as MPI) last.
// Names are complete. Functions that the measurement made up are ignored.
std::vector<CallWords> list_call_words(const Plan& plan);

}  // namespace tracefold
