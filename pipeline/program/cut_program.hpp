// tracefold.profiles cut to some of its processes, when a reduced trace is reduced again and
// processes are left out of it.
//
// What is known of a process stays, and is as exact as before. What is known only of all processes
// together, sums of a call path or iteration, is of other processes than those that are left, and
// goes.
//
// Takes threads of its own; the bytes do not depend on their number.
#pragma once

#include "pipeline/program/stored_program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// The bytes of a file of those processes that have these locations, which ascend; "" where none
// has. Throws Error(input) where the file is damaged, and where what is left goes beyond a limit.
std::string cut_program(const StoredProgram& stored, const std::vector<std::uint64_t>& locations);

}  // namespace tracefold
