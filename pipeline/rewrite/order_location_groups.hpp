// The order of the location groups of a reduced trace, by which they and their locations are
// numbered. What stands above them in the system tree has nothing to do with it.
//
// First come processes in MPI, by rank: those of which a location is kept, and then those that are
// there as halo alone. Other processes follow, then accelerators. Ranks are given in the same order
// (partners.hpp), so the place of a process in MPI is its new rank where each rank has a location
// group of its own.
//
// Thread-safe.
//
// Source: docs/design.md, the rules "dense ids" and "halo".
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/rewrite/kept_locations.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// Ids of the location groups of these locations, and of those that created them: a creator stands
// before what it created, but not between processes in MPI.
std::vector<std::uint64_t> order_location_groups(const Definitions& definitions,
                                                 const std::vector<KeptLocation>& locations);

}  // namespace tracefold
