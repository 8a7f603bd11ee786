// Formal contexts: which object has which attributes, each distinct set of attributes (intent) held
// once with the objects that have it.
//
// Pure functions. Source: structural VI (contexts of processes and call pairs).
#pragma once

#include "lattice/bits.hpp"

namespace tracefold::lattice {

using Element = std::uint64_t;  // an attribute, named by its caller
using Set = std::vector<Element>;

struct Context {
  std::vector<Element> attributes;  // ascending; column j of `intents` says who has attributes[j]
  BitRows intents;                  // distinct, in the order of their first objects
  std::vector<std::vector<std::size_t>> objects;  // of each intent, ascending; none empty

  std::size_t size() const { return objects.size(); }
};

// The context of objects 0, 1, … with these sets, each ascending. Its attributes are those that
// some object has.
Context build_context(const std::vector<Set>& sets);

// All elements of some set, ascending. Takes O(elements · log sets).
Set unite_sets(std::vector<Set> sets);

// Row i has bit j where sets[i] has the j-th of all elements that some set has.
BitRows to_rows(const std::vector<Set>& sets);

}  // namespace tracefold::lattice
