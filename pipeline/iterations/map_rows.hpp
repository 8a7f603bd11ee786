// Fills maps, and puts what folding leaves of them beside them, whatever their values come from.
//
// Source: dynamics 4.3 (original and reconstruction side by side).
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

struct MapOptions;
struct WholeMetric;

// Gives the value of each iteration of a process; none where it does not have the loop.
using ReadValues = std::function<std::vector<double>(std::size_t process)>;

// What stands for a process and its iterations.
struct RowSource {
  std::size_t process = 0;
  // The iterations that stay, and by iteration which of these stands for it. Empty: all stay.
  std::span<const std::uint32_t> kept = {}, kept_of = {};

  std::size_t find_kept(std::size_t iteration) const {
    return kept_of.empty() ? iteration : kept[kept_of[iteration]];
  }
};
// By process; none: nothing stands for it.
using RowSources = std::vector<std::optional<RowSource>>;

// Each of so many processes stands for itself.
RowSources list_themselves(std::size_t processes);

// Leaves the iterations of a map without cells that are asked for. Throws Error(usage) where it has
// none of them.
void choose_iterations(const MapOptions& options, IterationMap& map);

// The iterations that stay, and which of them stands for each, as far as the map shows them.
void set_kept(std::span<const std::uint32_t> kept, std::span<const std::uint32_t> kept_of,
              ComparedMap& maps);

// The cells of the map are those of what stands for its processes.
void fill_rows(IterationMap& map, const RowSources& sources, const ReadValues& read);

// Adds to a filled map which of it stays and, unless all does, the map of what stands for it.
void add_reconstruction(const RowSources& sources, const ReadValues& read, ComparedMap& maps);

// Adds a layer for each part of the whole; `read_part` gives the values of a part.
void add_layers(const WholeMetric& whole, const RowSources& sources,
                const std::function<ReadValues(std::size_t part)>& read_part, ComparedMap& maps);

}  // namespace tracefold
