// Examines a trace for a window in time: finds the times of the trace, and the operations that
// cross a border of the window.
//
// An operation crosses if one of its records, or of an operation of another location that it is
// matched with, is outside: a message that is sent before the window and received in it, a
// collective that a member entered before, a file operation that is completed after. All records of
// crossing operations are left out.
//
// Reads all locations in parallel; members of a team read their own ones. Memory: 8 bytes for each
// operation, in a team for each operation that the member reads or matches.
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

// The times of the first and the last event of the trace, in ticks; both 0 if there are no events.
// Throws Error(input).
std::pair<std::uint64_t, std::uint64_t> find_times(const Archive& archive, const Context& context);

// Puts a window into the last filter, of which there has to be one; filters have only what is in it
// of a window that they had before. Throws Error(usage) where nothing is left.
void narrow_to(std::vector<FilterSection>& filters, TimeWindow window);

// Fills in the crossing records of the window among the filters, if there is one and they are not
// known yet. Returns false if nothing was recorded in the window. Throws Error(input), and
// Error(usage) if the trace was reduced before.
bool look_at_window(const Archive& archive, std::vector<FilterSection>& filters,
                    const ReadOptions& options);

}  // namespace tracefold
