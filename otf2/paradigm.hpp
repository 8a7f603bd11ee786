// The names of OTF2's paradigms: what a function is of.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

// As in "MPI"; "paradigm 99" of one that this version of OTF2 adds.
std::string paradigm_name(std::uint64_t paradigm);

}  // namespace tracefold
