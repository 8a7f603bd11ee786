// The transitive closure of a relation, such as who calls whom.
//
// A pair (from, to) is an element with `from` in its upper 32 bits and `to` in its
// lower. Pure functions, safe from any thread.
//
// With V members, P pairs and C strongly connected components, time is O(P·V / 64)
// and memory C·V / 8 bytes, so 12.5 MB for 10,000 functions, besides the result.
//
// Source: structural VII, thesis 3.5. The virtual root, the caller of bottom functions, is a member
// like any other.
#pragma once

#include "lattice/context.hpp"

namespace tracefold::lattice {

constexpr Element to_element(std::uint32_t from, std::uint32_t to) {
  return Element{from} << 32 | to;
}

// Returns (from, to) for each `to` that can be reached from `from` along one or more pairs,
// ascending. `pairs` are ascending. At most V² pairs of 8 bytes, where everybody calls everybody
// directly or not.
Set find_closure(std::span<const Element> pairs);

}  // namespace tracefold::lattice
