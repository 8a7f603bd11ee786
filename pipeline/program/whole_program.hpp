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

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

// The same without a plan of it; and of the processes alone that these locations of the trace,
// which ascend, stand for.
std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         Diagnostics& diagnostics);
std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics);

// The locations of a trace that the filters of a profiled plan leave, ascending.
std::vector<std::uint64_t> list_left_locations(const Archive& archive, const Plan& plan);

// Completes a plan that stands beside a reduced trace, in this folder (none: it is not known), with
// the profiles of its processes, so that representatives can be chosen anew; what it says of the
// reduced trace is left out. A note says how exact they are. Throws Error(input) with what is not
// known where the file is not there, is not the one that the plan names, or is damaged.
void restore_profiles(Plan& plan, const std::optional<std::filesystem::path>& folder,
                      Diagnostics& diagnostics);

// The file to be put beside the trace when that is reduced again: as it is, or cut to the processes
// that these locations of the trace, which ascend, stand for. Null as above, or where nothing is
// kept of these.
std::shared_ptr<const PackedProgram> read_packed_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics);

// What is wrong with the file that the plan beside a trace names; "" where nothing is, or it names
// none. Throws Error(input) where the file cannot be read.
std::string check_profiles_file(const Archive& archive, const PlanBeside& beside);

// Whether the file that the plan names holds the same as these bytes, which another version of zstd
// may have packed. Throws Error(input) where the file cannot be read.
bool has_same_profiles(const PlanBeside& beside, const std::string& bytes);

// "times to 1 %, from tracefold.profiles", what of it is less exact, and what is not there.
std::string describe_detail(const StoredProgram& stored);
std::string describe_detail(const ProgramDetail& detail);  // without the latter
// Notes "of all 64 processes of the original: counts exactly, " and the same.
void note_detail(const StoredProgram& stored, Diagnostics& diagnostics);

}  // namespace tracefold
