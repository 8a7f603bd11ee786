// Processes as people are shown them: by rank and thread. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// "rank 3 thread 1", "rank 3" for the first thread. What has no rank is named by its location
// group: "process 3 thread 1"; or, as a stream that another process has created and whose location
// group is its own, by its id: "location 7".
std::string name_process(const Process& process);

// Many processes in few words, as indexes into Plan::processes: "0-7" of the first threads of these
// ranks, "0-7 thread 1-3" of others; several of these with ", " between them. Without ranks
// "process 0-7 thread 1-3", or "thread 0-3" where the program is a single process, and
// "location 9-12" of streams as above.
std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes);
// The same where nothing else says that the numbers are ranks: a text for each, such as "rank 0-7"
// and "rank 0-7 thread 1-3".
std::vector<std::string> name_places(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
