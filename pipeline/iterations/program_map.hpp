// A map of all processes of the original, from the file beside a reduced trace.
//
// Source: dynamics 3.2 (iteration × process maps), 4.3 (original and reconstruction side by side).
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/program_values.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"

namespace tracefold {

// The metric with this name for the processes that have the loop, as read_iteration_map() gives it
// for the original: counts exactly, times as exactly as stored. Only if can_map(). Throws
// Error(usage) if there is no such metric or loop, and Error(input) if the file is damaged.
IterationMap read_program_map(const Archive& archive, const WholeProgram& program,
                              const MapOptions& options);

// The same for a sum of stored columns, without call paths and units.
IterationMap read_program_map(const StoredLoop& loop, const ShownMetric& metric,
                              std::size_t most_cells = tracefold::most_cells);

// The same with its reconstruction from the reduced trace: each process and iteration replaced by
// the kept one that stands for it. Not for call paths. Throws as above.
ComparedMap compare_program_map(const Archive& archive, const WholeProgram& program,
                                const MapOptions& options, WantLayers layers = WantLayers::yes);

// The same of an original, by the representatives of a plan, and by how iterations are folded. No
// layers.
ComparedMap compare_program_map(const StoredLoop& loop, const ShownMetric& metric, const Plan& plan,
                                const IterationSection& folded);

// Whether the file has what the options ask for: iterations, and, for call paths, the series of all
// matching ones with time in the loop, if the metric is a time.
bool can_map(const Archive& archive, const WholeProgram& program, const MapOptions& options);

}  // namespace tracefold
