// What a reduced trace tells of all processes of the original, by the files beside it: the plan,
// and tracefold.profiles.
//
// Source: dynamics 4 (profiles of all processes).
#pragma once

#include "base/error.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/program/pack_program.hpp"
#include "pipeline/program/stored_program.hpp"

#include <memory>
#include <string>

namespace tracefold {

struct WholeProgram {
  // The original's processes, as if it had been profiled: without anything that is left out of it.
  // What it says of the trace is of the reduced one.
  Plan plan;
  Aggregates calls;  // with execution time and visits; paths name the plan's functions
  std::shared_ptr<const StoredProgram> stored;
};

// Null where the trace was not reduced, or nothing is kept of all processes. What is beside the
// trace is not trusted: where a file is missing, is another one than the plan names, or is damaged,
// the result is null, too, and a warning says why.
std::shared_ptr<const WholeProgram> read_whole_program(const Archive& archive,
                                                       Diagnostics& diagnostics);

// The file as it is, to be put beside the trace when that is reduced again; null as above.
std::shared_ptr<const PackedProgram> read_packed_program(const Archive& archive,
                                                         Diagnostics& diagnostics);

// What is wrong with the file that the plan names; "" where nothing is, or it names none. Throws
// Error(input) where the file cannot be read.
std::string check_profiles_file(const PlanBeside& beside);

// "times to 1 %, from tracefold.profiles", and what of it is less exact.
std::string describe_detail(const ProgramDetail& detail);

}  // namespace tracefold
