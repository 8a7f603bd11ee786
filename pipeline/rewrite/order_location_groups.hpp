// The order of the location groups of a reduced trace, by which they and their locations are
// numbered. The system tree does not matter for it.
//
// First MPI processes by rank, those with a kept location before those with only halo; then other
// processes, then accelerators. New ranks have the same order (partners.hpp), so an MPI process's
// place is its new rank if each rank has its own location group.
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

// Returns the ids of the location groups of these locations and of those that created them. A
// creator comes before what it created, but never between MPI processes.
std::vector<std::uint64_t> order_location_groups(const Definitions& definitions,
                                                 const std::vector<KeptLocation>& locations);

}  // namespace tracefold
