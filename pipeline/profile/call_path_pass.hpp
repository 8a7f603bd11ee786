// The call-path pass: every location is read once, in parallel, into call-path profiles
// over one tree.
//
// Memory: 16 bytes for each call path of each process, the paths that any has
// once for each thread, and what call_path_sink.hpp says of the latter. The
// result does not depend on the number of threads. One location is read by one
// thread. Calls are those of context_calls.hpp, too.
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

// Which columns profiles have: those of CallPathSink, or those of CallAmountsSink.
enum class PathColumns : bool { time_and_visits, with_amounts };

// The profiles of a plan's processes, with the columns of CallPathSink. Processes that are
// not among `members`, which are indexes and ascend, have no paths. Of a trace that was reduced
// before, what was stored then stands for what processes did, with a note; functions that are only
// in it are added to the plan. Throws Error(input).
CallPathProfiles call_path_pass(const Archive& archive, Plan& plan,
                                const std::vector<std::size_t>& members, const ReadOptions& options,
                                Diagnostics& diagnostics);

// The same for all processes that the plan's filters leave, where the plan has no
// profiles yet: adds them as add_profiles does, from the same reading. Amounts are known of traces
// that were not reduced before.
CallPathProfiles call_path_and_profile_pass(Plan& plan, const Archive& archive,
                                            const ReadOptions& options, Diagnostics& diagnostics,
                                            PathColumns columns = PathColumns::time_and_visits);

}  // namespace tracefold
