// Words for groups of processes by what only they call, or only they do not. Pure.
#pragma once

#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct CallWords {
  std::string calls;                // "" where there are no such words
  std::vector<std::string> others;  // the most telling first
};

// For each group of the plan the words that fit it:
//   calls write_output           every member calls it, and no process of another group does
// Others are:
//   lacks exchange_3             no member calls it, and every process of the other groups does
//   calls MPI_Send in exchange   the same by call pairs
//   lacks MPI_Send in exchange
// Groups are compared with what they lack among those of one location type, and first threads with
// first threads. Where there are several functions, two are named: those with the most time,
// functions of MPI and of other libraries behind all others. Names are whole. What the measurement
// made up does not count.
std::vector<CallWords> list_call_words(const Plan& plan);

}  // namespace tracefold
