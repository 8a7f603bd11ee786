// What processes did, with all metrics that are known.
//
// Starts threads; the result does not depend on their number.
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "model/profile/process_profiles.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

// Everything that these processes (ascending indexes) did, with all known metrics of the trace.
// Reads the trace. For a trace that was reduced before, returns what was stored then, with a note;
// functions that only that has are added to the plan. Throws Error(input).
ProcessProfiles profile_processes(const Archive& archive, Plan& plan,
                                  std::vector<std::size_t> members, const ReadOptions& options,
                                  Diagnostics& diagnostics);

// The same for fewer metrics, as one profile of all processes of the plan, in which processes that
// are not members have no paths. It has at least execution time, visits and counters, and no times
// of waiting.
CallPathProfiles profile_with_counters(const Archive& archive, Plan& plan,
                                       std::vector<std::size_t> members, const ReadOptions& options,
                                       Diagnostics& diagnostics);

// The same from what is stored of all processes: `members` are ascending indexes into it.
ProcessProfiles choose_profiles(const Aggregates& all, std::vector<std::size_t> members,
                                const Archive& archive, Diagnostics& diagnostics);

}  // namespace tracefold
