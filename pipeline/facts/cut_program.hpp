// Cuts tracefold.profiles to some of its processes, when a reduced trace is reduced again and
// processes are left out.
//
// The values of a process stay as exact as before. Sums over all processes, of a call path or
// iteration, are dropped, since they include processes that are left out.
//
// Starts threads; the bytes do not depend on their number.
#pragma once

#include "pipeline/facts/stored_program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// The bytes of a file with the processes that have these locations (ascending); "" if there are
// none. Throws Error(input) if the file is damaged, or the result exceeds a limit.
std::string cut_program(const StoredProgram& stored, const std::vector<std::uint64_t>& locations);

}  // namespace tracefold
