// A map of all processes of the original, from what is stored beside a reduced trace.
//
// Source: dynamics 3.2 (iteration × process maps), 4.3 (original and reconstruction side by side).
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "pipeline/iterations/program_values.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/program/whole_program.hpp"

namespace tracefold {

// The metric of this name, of the processes that have the loop, as read_iteration_map() gives it of
// the original: counts exactly, times as exact as they are stored. Only what can_map() says. Throws
// Error(usage) where there is no such metric or loop, Error(input) where what is stored is damaged.
IterationMap read_program_map(const Archive& archive, const WholeProgram& program,
                              const MapOptions& options);

// The same of a sum of stored columns, not of call paths, without what the trace says of units.
IterationMap read_program_map(const StoredLoop& loop, const ShownMetric& metric,
                              std::size_t most_cells = tracefold::most_cells);

// The same beside what is left of it in the reduced trace: each process as the kept one that stands
// for it, and each iteration as the kept one. Not of call paths. Throws as above.
ComparedMap compare_program_map(const Archive& archive, const WholeProgram& program,
                                const MapOptions& options);

// Whether what is asked for is stored: iterations, and where call paths are asked for, those of all
// of these that have any time in the loop, if the metric is a time.
bool can_map(const Archive& archive, const WholeProgram& program, const MapOptions& options);

}  // namespace tracefold
