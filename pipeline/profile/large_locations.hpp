// Locations that are too large for one member of a team: all members read stretches of their
// chunks, which are merged up a tree, in order.
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/profile/parts_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tracefold {

// The locations that would take a member of a team at least one and a half times its even share of
// all events. None for a team of one. `events` is the number of events by location.
std::vector<std::size_t> find_large_locations(const std::vector<std::uint64_t>& events,
                                              std::size_t members);

// The chunks that the member with this rank reads. If there are few, the last members read none.
ChunkRange find_stretch(std::size_t chunks, std::size_t rank, std::size_t members);

// Receives the index of the location, what was read, and the number of records of all kinds.
using TakeLocation = std::function<void(std::size_t, LocationPart&, std::uint64_t)>;

// Reads the large locations in stretches, and passes each to `take` at the first member. Returns,
// at all members, the indexes of the others: those that are not large, and those that can only be
// read as a whole. Without a team, returns all. Collective. Throws what EventReader throws.
std::vector<std::size_t> read_large_locations(const Archive& archive,
                                              const std::vector<std::uint64_t>& locations,
                                              const std::vector<std::uint64_t>& events,
                                              const FunctionTable& functions, PartsReader& parts,
                                              const ReadOptions& options, Diagnostics& diagnostics,
                                              const TakeLocation& take);

}  // namespace tracefold
