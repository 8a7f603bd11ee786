// What is tried to be kept of a program in tracefold.profiles, in turn where less room is left:
// first fewer call paths have series of iterations, down to none; then what delayed those whom
// others waited for is left out; then who has to do with whom; then some iterations together share
// a value, their sum; then times are kept less exactly; and then iterations are left out.
// Thread-safe.
#pragma once

#include "model/program/program_file.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct PackAttempt {
  ProgramDetail detail;
  std::size_t path_series = 0;  // of each loop, at most
  bool has_pairs = false;
  bool has_delays = false;
};

// In their order; only those that readers take.
std::vector<PackAttempt> list_attempts(const ProgramProfiles& program);

// What an attempt leaves out of the fullest one, besides steps and sums of iterations.
std::vector<std::string> list_left_out(const PackAttempt& fullest, const PackAttempt& attempt);

// Whether readers take how many iterations each process has in each loop.
bool has_readable_loops(const ProgramProfiles& program);

// The number of iterations that any process has in a loop, in one that it has only for a map, or in
// any.
std::size_t find_longest(const ProgramLoop& loop);
std::size_t find_longest(const ProgramMap& map);
std::size_t find_longest(const ProgramProfiles& program);

}  // namespace tracefold
