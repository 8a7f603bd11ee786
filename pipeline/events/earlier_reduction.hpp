// What a trace that was reduced before says of its locations. All of it is in the
// ids of the first original, so a trace can be reduced again and again. Any thread may ask.
//
// Source: DESIGN's rules of rewriting, "A reduced trace can be reduced again".
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// What the properties of a location say, whether or not it fits together; `members` as ranges.
struct Standing {
  std::optional<std::uint64_t> source, count;
  std::optional<std::string> members;
};

// By location, of those with any of these properties, of the type that they are written with.
// Throws nothing of its own.
std::unordered_map<std::uint64_t, Standing> standing_said(const Definitions& definitions);

// What a location stands for, ids of the first original.
struct EarlierReduction {
  std::uint64_t source = 0, count = 0;
  std::vector<std::uint64_t> members;  // ascending; `count` of them, the source among them
};

// By location, of those that say their source, count and members;
// without them a location stands for itself. Throws Error(input) where they do not fit each other,
// or two stand for one.
std::unordered_map<std::uint64_t, EarlierReduction> earlier_reductions(
    const Definitions& definitions);

}  // namespace tracefold
