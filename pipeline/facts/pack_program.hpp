// Packs what every process of a program did into the bytes of tracefold.profiles, described in
// docs/profiles-format.md.
//
// If there are too many bytes, less is stored (pack_attempts.hpp), and finally nothing. Counts are
// always exact.
//
// Starts threads; the bytes do not depend on their number, nor on the number of members of a team.
#pragma once

#include "model/program/program_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tracefold {

class Team;
struct Plan;

// Packs plan.program, which must exist, for the processes and groups of the plan. None if nothing
// fits. A team packs together, and only the first member gets the bytes.
std::optional<PackedProgram> pack_program(const Plan& plan, std::uint64_t most_bytes,
                                          Team* team = nullptr);

// The same exactly, for immediate use and not for a file: it is less exact only if readers do not
// accept so much. Each member of a team gets the bytes.
std::optional<PackedProgram> pack_exact_program(const Plan& plan, Team* team = nullptr);

}  // namespace tracefold
