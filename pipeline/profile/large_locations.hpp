// Locations that are too large for one member of a team: all members read stretches of their
// chunks, which come together up a tree, in their order.
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/profile/parts_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tracefold {

// Which of locations that have so many events take a member of a team of this size half as long
// again as its even share of all takes, or longer. None for a team of one.
std::vector<std::size_t> find_large_locations(const std::vector<std::uint64_t>& events,
                                              std::size_t members);

// What the member with this rank reads of so many chunks. Of few, the last members read none.
ChunkRange find_stretch(std::size_t chunks, std::size_t rank, std::size_t members);

// The index into the locations, what was read, and how many records these are, of all kinds.
using TakeLocation = std::function<void(std::size_t, LocationPart&, std::uint64_t)>;

// Reads the large ones of the locations, which have so many events, in stretches, and gives each to
// `take` at the first member. Returns the indexes of all others, at all members alike: those that
// are not large, and those that have to be read as a whole. Without a team these are all.
// Collective. Throws what EventReader does.
std::vector<std::size_t> read_large_locations(const Archive& archive,
                                              const std::vector<std::uint64_t>& locations,
                                              const std::vector<std::uint64_t>& events,
                                              const FunctionTable& functions, PartsReader& parts,
                                              const ReadOptions& options, Diagnostics& diagnostics,
                                              const TakeLocation& take);

}  // namespace tracefold
