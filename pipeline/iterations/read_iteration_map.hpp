// map: one metric of a loop, of all processes and iterations, read in parallel.
//
// Memory: 8 bytes for each process and iteration, at most 512 MiB or a quarter of the
// limit: beyond that iterations share columns. Does not depend on the number of threads.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "model/iterations/loops.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct MapOptions {
  std::string metric;     // its name, or a recorded counter's
  std::string call_path;  // glob of "main > solve > MPI_Wait"; empty: all
  // In their order, from 0; none: the one that takes most of the time.
  std::optional<std::size_t> loop = {};
  // Where a map would have more cells, iterations share them.
  std::size_t most_cells = tracefold::most_cells;
};

// The loop that takes most of the time of the first process that has one. Throws Error(usage)
// where none has.
std::size_t find_main_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops);

// The map has the processes in `members` that have the loop and recorded anything in it; values are
// sums over call paths.
// Throws Error(usage) where there is no such metric, call path or loop, or where waiting for others
// is asked for and processes are left out; and Error(input).
IterationMap read_iteration_map(const Archive& archive, const Plan& plan,
                                const std::vector<std::size_t>& members,
                                const std::vector<ProcessLoops>& loops, const MapOptions& options,
                                const ReadOptions& reading, Diagnostics& diagnostics);

// The same of a trace that was reduced before and of which it was stored how its iterations were
// folded: all iterations of the original, each as the kept one that stands for it, and which these
// are; with a note. There is nothing beside it, and layers only where they are wanted. None where
// nothing is stored of the members.
enum class WantLayers : bool { no, yes };
std::optional<ComparedMap> read_stored_map(const Archive& archive, const Plan& plan,
                                           const std::vector<std::size_t>& members,
                                           const MapOptions& options, WantLayers layers,
                                           const ReadOptions& reading, Diagnostics& diagnostics);

// The same as read_iteration_map of all processes of the plan, beside what its representatives and
// its section `iterations` leave of it: a process is what its representative is, and an iteration
// what the kept one is that stands for it. `loops` are those in which `options` count; the plan's
// section may have some of them only. Where iterations are added up, so are those of layers, in at
// most `most_layer_columns`. Throws as read_iteration_map does.
inline constexpr std::size_t most_layer_columns = 1000;
ComparedMap read_compared_map(const Archive& archive, const Plan& plan,
                              const std::vector<ProcessLoops>& loops, const MapOptions& options,
                              const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
