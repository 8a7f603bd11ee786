// What every process of a program did, as the bytes of the file tracefold.profiles, which
// docs/profiles-format.md describes.
//
// Where these would be too many, less of it is kept (pack_attempts.hpp), and at last nothing.
// Counts are always exact.
//
// Takes threads of its own; the bytes do not depend on their number, nor on that of the members of
// a team.
#pragma once

#include "model/program/program_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tracefold {

class Team;
struct Plan;

// Packs plan.program, which has to be there, for the processes and groups of the plan. None where
// nothing of it has room.
// A team packs it together, and only the first member gets the bytes.
std::optional<PackedProgram> pack_program(const Plan& plan, std::uint64_t most_bytes,
                                          Team* team = nullptr);

// The same exactly, for who asks at once, and not for a file: less exactly only where readers do
// not take so much. Each member of a team gets the bytes.
std::optional<PackedProgram> pack_exact_program(const Plan& plan, Team* team = nullptr);

}  // namespace tracefold
