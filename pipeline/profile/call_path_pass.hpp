// call paths: every location read once, in parallel, into one call-path profile.
//
// Memory: 16 bytes for each call path of each process, the paths that any has
// once for each thread, and what call_path_sink.hpp says of the latter. The
// result does not depend on the number of threads. One location is read by one
// thread. Calls are Enter and Leave records; samples of calling contexts are not.
//
// Source: dynamics 3 (call-path profiles).
#pragma once

#include "model/plan.hpp"
#include "model/profile/call_profile.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Of the processes of a plan. Those that are not among `members`, which ascend,
// have no paths. Throws Error(input).
CallProfile call_paths(const Archive& archive, const Plan& plan,
                       const std::vector<std::size_t>& members, const ReadOptions& options,
                       Diagnostics& diagnostics);

// The same of all processes that the plan's filters leave, where the plan has no
// profiles yet: fills them as profile_into does, from the same reading.
CallProfile call_paths_and_profiles(Plan& plan, const Archive& archive, const ReadOptions& options,
                                    Diagnostics& diagnostics);

}  // namespace tracefold
