// Counts what the calls of a program are, and finds the functions that the next measurement should
// leave out: those of the program with at least 1 % of all visits and less than 1 us in each, which
// are on no path to MPI. Score-P's scorep-score -g goes by such shares of its buffer.
//
// Pure. Thread-safe.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/program_facts.hpp"

namespace tracefold {

struct Plan;

// The profiles are those of the plan's processes.
ProgramFacts find_program_facts(const Plan& plan, const CallPathProfiles& calls);

}  // namespace tracefold
