// Processes as people are shown them: by rank and thread. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// "rank 3 thread 1", "rank 3" for the first thread, or "location 7" where there are no ranks.
std::string name_process(const Process& process);

// Many processes in few words, as indexes into Plan::processes: "0-7" of the first threads of these
// ranks, "0-7 thread 1-3" of others, "location 9-12" where there are no ranks; several of these
// with ", " between them.
std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes);
// The same where nothing else says that the numbers are ranks: a text for each, such as "rank 0-7",
// "rank 0-7 thread 1-3" and "location 9-12".
std::vector<std::string> name_places(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
