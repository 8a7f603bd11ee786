// Tells regions of the program from those of programming interfaces such as MPI, by paradigm.
// Thread-safe.
#pragma once

#include <cstdint>

namespace tracefold {

// True for unknown, user, compiler, sampling and none.
bool is_paradigm_of_program(std::uint64_t paradigm);

}  // namespace tracefold
