// The window in time in which calls of some functions are open.
//
//   rank 0          main  setup  solve        output  solve
//   inside "solve"               begin … end          begin … end
//
// Each location has its own spans, from the Enter to the Leave of such a call. One that makes no
// such call, as a worker thread or a stream, has the time in which its process is in one: any
// location of its location group, or of the one that created this. A process that never makes one
// has nothing of the time.
#pragma once

#include "model/time_window.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Reads all locations in parallel; members of a team read their own ones. `first_event` is not
// filled in. Throws Error(input), and Error(usage) where these are more spans than a plan holds.
TimeWindow find_inside_window(const Archive& archive, const std::vector<std::string>& patterns,
                              const ReadOptions& options);

}  // namespace tracefold
