// What is known of a made-up trace, as JSON:
//
//   ticks_per_second, resolution
//   call_paths     [{function, caller}]: caller is a number of a call path, or null
//   weak_classes   [[call path…]]
//   strong_classes [{weak, visits}]: visits of each call path of the weak class
//   loops          [{style, function, call_path}]: as the options say; an inline loop
//                  has no function
//   locations      [{id, rank, thread, loops: [{loop, iterations, begin, end, weak,
//                  strong, metrics}]}]: lists with one number for each iteration
//
// An iteration lasts from its first Enter to its last Leave; on a thread that is none
// of MPI's, as on its process. Metrics are sums over the calls in it, by the names of
// model/profile/metric.hpp; times in ticks, of calls alone without their callees.
#pragma once

#include "tests/loop_traces/program.hpp"

#include <filesystem>

namespace tracefold::testing {

void write_truth(const std::filesystem::path& file, const Options& options, const CallTrees& trees,
                 Program& program);

}  // namespace tracefold::testing
