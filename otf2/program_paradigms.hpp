// Tells regions of the program from those of programming interfaces such as MPI, by paradigm.
// Thread-safe.
#pragma once

#include <cstdint>

namespace tracefold {

// True for unknown, user, compiler, sampling and none.
bool is_paradigm_of_program(std::uint64_t paradigm);
// True for user and compiler: the region is known to be the program's own code, whatever its name.
bool is_user_code(std::uint64_t paradigm);

}  // namespace tracefold
