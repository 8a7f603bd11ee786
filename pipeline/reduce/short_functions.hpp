// Functions whose calls are too short to be looked at, as getters and small operators are.
//
// A call is short where it calls nothing and lasts less than a given time. A function is short
// where most of its calls call nothing, more than half of these are short, and none of its calls
// holds a record besides values of metrics, as of a message. Functions are told apart by their
// names, over all processes, so that processes with equal calls still have equal calls without
// short functions.
//
//   calls of get(), in µs   0.2  0.3  0.2  5.1    below 1 µs: dropped
//   calls of MPI_Send()     0.4  0.4              each holds a message: stays
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// The names of functions that are short, ascending; `shortest` is in ticks. Calls are those that
// the filters leave, of the processes that they leave. Reads these in parallel; members of a team
// read their own ones. Throws Error(input).
std::vector<std::string> find_short_functions(const Archive& archive,
                                              const std::vector<FilterSection>& filters,
                                              std::uint64_t shortest, const ReadOptions& options);

}  // namespace tracefold
