// The call-path pass: reads every location once, in parallel, into call-path profiles over one
// tree.
//
// Memory: 16 bytes for each call path of each process, the tree once for each thread, and that of
// call_path_sink.hpp. The result does not depend on the number of threads. One thread reads a
// location. Calls include those of context_calls.hpp.
//
// Source: dynamics 3 (call-path profiles).
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

// The profiles of a plan's processes, with the columns of CallPathSink. Processes that are not in
// `members` (ascending indexes) have no paths. For a trace that was reduced before, returns what
// was stored then, with a note; functions that only that has are added to the plan. Throws
// Error(input).
CallPathProfiles call_path_pass(const Archive& archive, Plan& plan,
                                const std::vector<std::size_t>& members, const ReadOptions& options,
                                Diagnostics& diagnostics);

// The same for all processes that the plan's filters keep, for a plan without profiles: adds these
// as add_profiles() does, from the same reading.
CallPathProfiles call_path_and_profile_pass(Plan& plan, const Archive& archive,
                                            const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
