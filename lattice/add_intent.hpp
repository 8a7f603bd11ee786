// A concept lattice that grows by one intent at a time.
//
// Source: van der Merwe, Obiedkov, Kourie: AddIntent, a new incremental algorithm
// for constructing concept lattices (ICFCA 2004), which structural VI.A and
// thesis 3.3 use.
#pragma once

#include "lattice/bits.hpp"

#include <optional>

namespace tracefold::lattice {

// Concepts are numbered in the order in which they appear; concept 0 is the bottom, which has all
// attributes. One thread at a time.
class AddIntent {
 public:
  // Attributes are numbers below `width`. Begins with the bottom; at most `max_concepts` are made.
  AddIntent(std::size_t width, std::size_t max_concepts);

  // Inserts an object's intent, with all concepts that follow from it, and returns the object's
  // concept, which keeps its number. None where the limit would be exceeded; the lattice is
  // incomplete then, and only size() may be used. Takes at most O(concepts² · attributes / 64); the
  // recursion is as deep as the longest chain of concepts.
  std::optional<std::size_t> insert(std::span<const Word> intent);

  std::size_t size() const { return parents_.size(); }
  std::span<const Word> intent(std::size_t node) const {
    return {intents_.data() + node * words_, words_};
  }
  const std::vector<std::size_t>& parents(std::size_t node) const {
    return parents_[node];
  }  // the direct upper concepts

 private:
  std::size_t add(std::span<const Word> intent, std::size_t below);
  std::size_t most_general(std::span<const Word> intent, std::size_t below) const;
  std::vector<std::size_t> parents_for(std::span<const Word> intent, std::size_t generator);

  std::size_t words_, limit_;
  bool full_ = false;
  std::vector<Word> intents_;
  std::vector<std::vector<std::size_t>> parents_;
};

}  // namespace tracefold::lattice
