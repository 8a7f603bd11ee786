// The identity of the trace that the members of a team read.
#pragma once

#include "otf2/archive.hpp"

namespace tracefold {

class Team;

// Only the first member of a team asks the file system for the sizes of all event files, of which
// there may be a million. Throws Error(input).
TraceIdentity find_identity(const Archive& archive, Team* team);

}  // namespace tracefold
