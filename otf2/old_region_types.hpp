// Regions of OTF2 before 1.1, which had a single type in place of role, paradigm and flags.
//
// Pure functions. Source: what libotf2 3.0.2 makes of regions of each type.
#pragma once

#include "otf2/definition.hpp"

#include <cstdint>

namespace tracefold {

// Gives a region the role, paradigm and flags of an OTF2_RegionType.
void set_old_type(Definition& region, std::uint8_t type);

}  // namespace tracefold
