// Formal contexts: which object has which attributes. Equal sets of attributes (intents) are stored
// once, with all objects that have them.
//
// Pure functions. Source: structural VI (contexts of processes and call pairs).
#pragma once

#include "lattice/bits.hpp"

namespace tracefold::lattice {

using Element = std::uint64_t;  // an attribute; its meaning is up to the caller
using Set = std::vector<Element>;

struct Context {
  std::vector<Element> attributes;  // ascending; column j of `intents` is attributes[j]
  BitRows intents;                  // distinct, in the order of their first objects
  std::vector<std::vector<std::size_t>> objects;  // by intent, ascending; never empty

  std::size_t size() const { return objects.size(); }
};

// The context of objects 0, 1, … with these sets, each ascending. Attributes that no object has are
// left out.
Context build_context(const std::vector<Set>& sets);

// The union of sets, ascending. Takes O(elements · log sets).
Set unite_sets(std::vector<Set> sets);

// Row i has bit j if sets[i] has the j-th element of the union.
BitRows to_rows(const std::vector<Set>& sets);

}  // namespace tracefold::lattice
