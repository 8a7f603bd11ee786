// Processes as people are shown them: by rank and thread. Pure and thread-safe.
#pragma once

#include <string>

namespace tracefold {

struct Process;

// "rank 3 thread 1", "rank 3" for the first thread, or "location 7" where there are no ranks.
std::string name_process(const Process& process);

}  // namespace tracefold
