// Reads a few processes before all the others, and finds their loops: which calls are the
// iterations of the others may be guessed by it, so that what these did in them can be recorded
// while they are profiled (recorded_series.hpp).
//
// Processes are of one kind where they are of one type and are declared to have as many events. Of
// each kind with several processes the first is read, from the largest kind on, as long as all that
// is read so is a small part of the trace. Where none of them has loops, it is guessed that no
// other process has some. The functions in which they spend most time are guessed to be those of
// all processes.
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
  std::unique_ptr<SearchedLoops> searched;  // the processes that were read
  // Whether others like them may decide otherwise about some of their loops (align_loops.hpp).
  bool leaves_doubt = false;
};

// The processes are given by their locations. Threads of its own. Throws Error(input).
LookAhead look_ahead(const Archive& archive, const FunctionTable& functions,
                     std::span<const std::uint64_t> locations, const AskedIterations& asked,
                     const ReadOptions& options);

}  // namespace tracefold
