// The critical path of a part of a recorded run: the chain of what processes did, and of what was
// under way between them, that determined when it ended. Walked back from the last end: where a
// process waited, on to the one that ended its waiting; else it stays.
//
// One thread. The times of all call paths, of the network, and what is not known of add up to the
// length of the path. Memory: that of the result.
//
// Source: Scalasca 2.6, performance properties (critical path); Böhme et al. 2012.
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/replay/replay.hpp"

namespace tracefold {

// Ascending by process and path.
CriticalPath find_critical_path(const Replay& replay, const Replay::Part& part);

}  // namespace tracefold
