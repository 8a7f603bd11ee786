// What a trace that was reduced before says of its locations. All of it is in the
// ids of the first original, so a trace can be reduced again and again.
//
// Source: DESIGN's rules of rewriting, "A reduced trace can be reduced again".
#pragma once

#include "model/definition.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

// What a location stands for, ids of the first original.
struct EarlierReduction {
  std::uint64_t source = 0, count = 0;
  std::vector<std::uint64_t> members;  // ascending; `count` of them, the source among them
};

// By location, of those that have the source, the count and the members, each of the type that they are written with;
// without them a location stands for itself. Throws Error(input) where they do not fit each other, or two stand for one.
std::unordered_map<std::uint64_t, EarlierReduction> earlier_reductions(const Definitions& definitions);

}  // namespace tracefold
