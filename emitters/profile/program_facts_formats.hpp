// What the calls of a program are, in formats. Pure functions.
//
// Text ends with a filter file of Score-P (SCOREP_FILTERING_FILE), where functions should be left
// out of the next measurement.
#pragma once

#include "model/profile/program_facts.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tracefold {

struct Plan;

// `ticks` is how long the run took. CSV are rows of what,value.
std::string to_text(const Plan& plan, const ProgramFacts& facts, double ticks);
std::string to_csv(const Plan& plan, const ProgramFacts& facts, double ticks);
nlohmann::ordered_json to_json(const Plan& plan, const ProgramFacts& facts, double ticks);

}  // namespace tracefold
