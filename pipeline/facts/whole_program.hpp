// What a reduced trace knows of all processes of the original, from the files beside it: the plan
// and tracefold.profiles.
//
// Source: dynamics 4 (profiles of all processes).
#pragma once

#include "base/error.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/facts/stored_program.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct WholeProgram {
  // The processes of the original as if it had been profiled, without those that were left out. Its
  // section on the trace is about the reduced one.
  Plan plan;
  Aggregates calls;  // with execution time and visits; paths refer to the plan's functions
  std::shared_ptr<const StoredProgram> stored;
};

// Null if the trace was not reduced, or nothing is stored of all processes. The files are not
// trusted: if one is missing, is not the one that the plan names, or is damaged, the result is
// null, and a warning says why.
std::shared_ptr<const WholeProgram> read_whole_program(const Archive& archive,
                                                       Diagnostics& diagnostics);

// The same without a plan; and only for the processes that these locations of the trace (ascending)
// stand for.
std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         Diagnostics& diagnostics);
std::shared_ptr<const StoredProgram> read_stored_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics);

// The locations of a trace that the filters of a profiled plan keep, ascending.
std::vector<std::uint64_t> list_left_locations(const Archive& archive, const Plan& plan);

// Completes a plan from beside a reduced trace, in this folder (none: not known), with the profiles
// of its processes, so that representatives can be chosen again. Removes what it says about the
// reduced trace. A note says how exact the profiles are. Throws Error(input) if the file is
// missing, is not the one that the plan names, or is damaged.
void restore_profiles(Plan& plan, const std::optional<std::filesystem::path>& folder,
                      Diagnostics& diagnostics);

// The file for a trace that is reduced again: unchanged, or cut to the processes that these
// locations (ascending) stand for. Null as above, or if nothing is stored of these.
std::shared_ptr<const PackedProgram> read_packed_program(const Archive& archive,
                                                         const std::vector<std::uint64_t>& left,
                                                         Diagnostics& diagnostics);

// The file that the plan beside a trace names, and what is wrong with it: null, or "" if nothing
// is; both if it names none. Throws Error(input) if the file cannot be read.
struct CheckedProfiles {
  std::shared_ptr<const StoredProgram> stored;
  std::string fault;
};
CheckedProfiles check_profiles_file(const Archive& archive, const PlanBeside& beside);

// Whether the file that the plan names has the same content as these bytes, which another version
// of zstd may have packed. Throws Error(input) if it cannot be read.
bool has_same_profiles(const PlanBeside& beside, const std::string& bytes);

// "times to 1 %, from tracefold.profiles", with what is less exact or missing.
std::string describe_detail(const StoredProgram& stored);
std::string describe_detail(const ProgramDetail& detail);  // without what is missing
// Notes "of all 64 processes of the original: counts exactly, " followed by the same.
void note_detail(const StoredProgram& stored, Diagnostics& diagnostics);

}  // namespace tracefold
