// Which paradigms say that a region is part of the program, and not of a programming interface such
// as MPI. Thread-safe.
#pragma once

#include <cstdint>

namespace tracefold {

// True of unknown, user, compiler, sampling and none.
bool is_paradigm_of_program(std::uint64_t paradigm);

}  // namespace tracefold
