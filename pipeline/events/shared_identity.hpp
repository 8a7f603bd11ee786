// Which trace it is that the members of a team read.
#pragma once

#include "otf2/archive.hpp"

namespace tracefold {

class Team;

// The file system is asked for the size of each event file, of which there may be a million: only
// the first member of a team does that. Throws Error(input).
TraceIdentity find_identity(const Archive& archive, Team* team);

}  // namespace tracefold
