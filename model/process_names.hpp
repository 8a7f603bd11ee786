// Names of processes for people, by rank and thread. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// "rank 3 thread 1", or "rank 3" for the first thread. Without a rank, the location group is used:
// "process 3 thread 1"; and for a stream in a location group of its own, its id: "location 7".
// Streams that are named after their device have that name: "CUDA[3:0] of rank 3".
std::string name_process(const Process& process);

// Names many processes, given as indexes into Plan::processes, in few words: "0-7" for the first
// threads of these ranks, "0-7 thread 1-3" for others, separated by ", ". Without ranks:
// "process 0-7 thread 1-3", or "thread 0-3" in a program of a single process, and "location 9-12"
// for streams as above. Streams with names come last: "CUDA[0:7,13] of rank 0".
std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes);
// The same for a context that does not say that numbers are ranks: one text for each, such as
// "rank 0-7" and "rank 0-7 thread 1-3".
std::vector<std::string> name_places(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
