// Formal contexts: which object has which attributes, each distinct set of
// attributes (intent) held once with the objects that have it.
//
// A context is a value: equal incidence gives equal contexts, in whatever order
// objects were added and parts were merged. That makes the parallel and the
// distributed scheme (structural VI.C) exact: build parts anywhere, merge them
// in any tree. Builders are owned by one thread each; the rest are pure functions.
//
// Equal intents are found by hash and confirmed by comparing. Adding an object
// takes one pass over its set; memory is that of the distinct intents and of the
// runs of members.
//
// Source: structural VI (contexts of processes and call pairs), VI.C (in parallel).
#pragma once

#include "lattice/bits.hpp"
#include "lattice/distinct.hpp"
#include "lattice/members.hpp"

namespace tracefold::lattice {

using Element = std::uint64_t;  // an attribute, named by its caller
using Set = std::vector<Element>;

struct Context {
  std::vector<Element> attributes;  // ascending; column j of `intents` says who has attributes[j]
  BitRows intents;                  // distinct, in the order of their first members
  std::vector<Members> members;     // of each intent, none empty
  std::vector<std::uint64_t> weights;  // of each intent: the weights of its members, added up

  std::size_t size() const { return members.size(); }
  bool operator==(const Context&) const = default;
};

// Two contexts without a common object, as one over the attributes of both.
// Takes O(intents · attributes / 64), and Members::add for intents they share.
Context merge(Context a, const Context& b);

// Objects by their set: a span of words of any meaning.
class GroupedObjects {
 public:
  void add(Object object, std::span<const Word> set, std::uint64_t weight);
  const DistinctSpans<>& sets() const { return sets_; }
  const std::vector<std::uint64_t>& weights() const { return weights_; }
  std::vector<Members> take_members();

 private:
  DistinctSpans<> sets_;
  std::vector<Members> members_;           // those that came in ascending order
  std::vector<std::vector<Object>> late_;  // the others
  std::vector<std::uint64_t> weights_;
};

// Builds a context from sets of ascending elements; its attributes are those
// that some object has. An object is added once; ascending order is fastest.
class ContextBuilder {
 public:
  void add(Object object, std::span<const Element> set, std::uint64_t weight = 1) {
    objects_.add(object, set, weight);
  }
  Context build() &&;

 private:
  GroupedObjects objects_;
};

// The same from bit rows over known attributes (ascending), of words_for(their
// number) words each, bits beyond that number 0.
class RowContextBuilder {
 public:
  explicit RowContextBuilder(std::vector<Element> attributes)
      : attributes_(std::move(attributes)) {}
  void add(Object object, std::span<const Word> row, std::uint64_t weight = 1);
  Context build() &&;

 private:
  std::vector<Element> attributes_;
  GroupedObjects objects_;
};

// All elements of some set, ascending. Takes O(elements · log sets).
std::vector<Element> unite_sets(const std::vector<std::span<const Element>>& sets);

// Row i has bit j where sets[i] has attributes[j]; every element is an attribute.
BitRows to_rows(const std::vector<std::span<const Element>>& sets,
                const std::vector<Element>& attributes);

}  // namespace tracefold::lattice
