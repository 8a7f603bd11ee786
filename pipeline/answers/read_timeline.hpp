// What processes do over time, pooled to cells for a report page, and the messages between them
// whose receives take longest.
//
// Reads the processes once, and twice more where they send messages to each other, in parallel. The
// result does not depend on the number of threads. Memory: 5 bytes for each cell of each level, and
// what message_links.hpp says. Throws Error(input).
#pragma once

#include "model/report/report.hpp"
#include "model/time_window.hpp"
#include "pipeline/events/planned_trace.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tracefold {

struct TimelineLimits {
  std::size_t cells = 16'384;  // of a row, in the finest level
  // Of all rows in that level: where no two beside each other are equal, a page has 1.4 MB of them.
  std::size_t all_cells = 3 << 18;
  std::size_t messages = 4000;
};

// `processes` are those of the plan of the trace, by row; their names are left to the caller.
// `kinds` are those of functions by name. None where nothing is called in the span.
std::optional<ReportTimeline> read_timeline(const PlannedTrace& trace,
                                            const std::vector<std::size_t>& processes,
                                            const TimeSpan& span,
                                            const std::map<std::string, Paradigm>& kinds,
                                            const TimelineLimits& most = {});

}  // namespace tracefold
