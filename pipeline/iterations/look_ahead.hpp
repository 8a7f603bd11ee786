// Reads a few processes before all others and finds their loops. From these, the iterations of the
// others are guessed, so that what they do in them can be recorded while they are profiled
// (recorded_series.hpp).
//
// Processes are of one kind if they have the same type and the same declared number of events. The
// first process of each kind with several processes is read, from the largest kind on, as long as
// only a small part of the trace is read. If none of them has loops, the guess is that no process
// has. The functions in which they spend most time are assumed to be those of all processes.
//
// Source: dynamics 3.1 (iterations of the main loop).
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/iterations/searched_loops.hpp"
#include "pipeline/series/recorded_series.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tracefold {

struct LookAhead {
  SeriesGuess guess;
  std::unique_ptr<SearchedLoops> searched;  // of the processes that were read
  // Whether similar processes might decide differently about some of the loops (align_loops.hpp).
  bool leaves_doubt = false;
};

// Processes are given by location. Starts threads. Throws Error(input).
LookAhead look_ahead(const Archive& archive, const FunctionTable& functions,
                     std::span<const std::uint64_t> locations, const AskedIterations& asked,
                     const ReadOptions& options);

}  // namespace tracefold
