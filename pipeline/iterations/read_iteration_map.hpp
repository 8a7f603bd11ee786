// map: reads one metric of a loop, for all processes and iterations, in parallel.
//
// Memory: that of map_pass.hpp, and 8 bytes for each process and iteration, at most 512 MiB or a
// quarter of the limit; beyond that, iterations share columns. The result does not depend on the
// number of threads.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "model/iterations/loops.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct MapOptions {
  std::string metric;     // its name, or that of a recorded counter
  std::string call_path;  // glob of "main > solve > MPI_Wait"; empty: all
  // The number of the loop, from 0; none: the loop with most time.
  std::optional<std::size_t> loop = {};
  // A map with more cells has iterations that share columns.
  std::size_t most_cells = tracefold::most_cells;
  // Only these iterations of the loop: the first one, and the one behind the last.
  std::size_t first = 0, end = std::numeric_limits<std::size_t>::max();
};

// The loop with most time in the first process that has loops. Throws Error(usage) if there is
// none.
std::size_t find_main_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops);

// The map has the members that have the loop and recorded anything in it; values are sums over call
// paths. Throws Error(usage) if there is no such metric, call path or loop, or if the metric is a
// time of waiting and processes are left out; and Error(input).
IterationMap read_iteration_map(const Archive& archive, const Plan& plan,
                                const std::vector<std::size_t>& members,
                                const std::vector<ProcessLoops>& loops, const MapOptions& options,
                                const ReadOptions& reading, Diagnostics& diagnostics);

// The same for a reduced trace with stored information on how iterations were folded: a map of all
// iterations of the original, each with the values of the kept one that stands for it, and which
// these are; with a note. It has no reconstruction, and layers only if wanted. None if nothing is
// stored of the members.
enum class WantLayers : bool { no, yes };
std::optional<ComparedMap> read_stored_map(const Archive& archive, const Plan& plan,
                                           const std::vector<std::size_t>& members,
                                           const MapOptions& options, WantLayers layers,
                                           const ReadOptions& reading, Diagnostics& diagnostics);

// The same as read_iteration_map() for all processes of the plan, with the reconstruction by its
// representatives and its section `iterations`: each process and iteration replaced by the one that
// stands for it. `options.loop` counts in `loops`; the section may have only some of these. If
// iterations share columns, so do those of layers, with at most `most_layer_columns`. Throws as
// read_iteration_map() does.
inline constexpr std::size_t most_layer_columns = 1000;
ComparedMap read_compared_map(const Archive& archive, const Plan& plan,
                              const std::vector<ProcessLoops>& loops, const MapOptions& options,
                              const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
