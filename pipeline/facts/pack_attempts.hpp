// The attempts to fit a program into tracefold.profiles. With less room, the following is left out,
// in this order: what the run is played again from; series of call paths, down to none; what
// delayed processes that others waited for; pairs of processes; single iterations, by storing sums
// of several; exactness of times; and all iterations. Thread-safe.
#pragma once

#include "model/program/program_file.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct PackAttempt {
  ProgramDetail detail;
  std::size_t path_series = 0;  // largest number in each loop
  bool has_pairs = false;
  bool has_delays = false;
  bool has_sequences = false;
};

// In order; only attempts that readers accept.
std::vector<PackAttempt> list_attempts(const ProgramProfiles& program);

// What an attempt leaves out compared with the fullest one, besides steps and sums of iterations.
std::vector<std::string> list_left_out(const PackAttempt& fullest, const PackAttempt& attempt);

// Whether readers accept the numbers of iterations of each process and loop.
bool has_readable_loops(const ProgramProfiles& program);

// The largest number of iterations of a process: in a loop, in a loop that it has only for a map,
// or in any.
std::size_t find_longest(const ProgramLoop& loop);
std::size_t find_longest(const ProgramMap& map);
std::size_t find_longest(const ProgramProfiles& program);

}  // namespace tracefold
