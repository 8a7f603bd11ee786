// Looks at a trace for a window in time: which times the trace has, and which operations cross a
// border of the window.
//
// An operation crosses where one of its records, or one of an operation of another location that it
// is matched with, is outside: a message that is sent before the window and received in it, a
// collective that a member has entered before, a file operation that is completed behind.
// Crossing operations go with all of their records.
//
// Reads all locations, in parallel, of a team each member its own ones. Memory: 8 bytes for each
// operation, of a team's members for each operation that they read or match.
//
// Source: docs/design.md, the rule "window in time"; operations are matched as
// operation_matching.hpp says.
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/context.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

// The times of the first and the last event of the trace, in ticks; both 0 without events. Throws
// Error(input).
std::pair<std::uint64_t, std::uint64_t> find_times(const Archive& archive, const Context& context);

// Finds the crossing records of the window among the filters, where there is one and that was not
// done. False where nothing was recorded in it. Throws Error(input), and Error(usage) of a trace
// that was reduced before.
bool look_at_window(const Archive& archive, std::vector<FilterSection>& filters,
                    const ReadOptions& options);

}  // namespace tracefold
