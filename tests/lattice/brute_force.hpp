// Formal concept analysis by definition, on sets of small numbers as one word of
// bits each. Shares no code with what it is compared to.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tracefold::brute_force {

using Bits = std::uint64_t;

struct Context {
  std::vector<Bits> objects;  // the attributes of each
  std::size_t attributes = 0;

  Bits all_attributes() const { return (Bits{1} << attributes) - 1; }
  Bits extent(Bits intent) const {
    Bits objects_with = 0;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if ((objects[i] & intent) == intent)
        objects_with |= Bits{1} << i;
    return objects_with;
  }
  Bits closed(Bits intent) const {
    Bits common = all_attributes();
    for (auto object : objects)
      if ((object & intent) == intent)
        common &= object;
    return common;
  }
};

// All intents, in lectic order: Ganter's Next Closure.
inline std::vector<Bits> next_closure(const Context& context) {
  std::vector<Bits> intents{context.closed(0)};

  while (intents.back() != context.all_attributes()) {
    for (std::size_t j = context.attributes; j-- > 0;) {
      const Bits bit = Bits{1} << j, smaller = bit - 1;
      if (intents.back() & bit)
        continue;

      const auto next = context.closed((intents.back() & smaller) | bit);
      if (((next ^ intents.back()) & smaller) != 0)
        continue;

      intents.push_back(next);
      break;
    }
  }

  return intents;
}

// What stands at a node, all objects and attributes by number.
struct Label {
  std::set<std::size_t> objects, attributes;
  auto operator<=>(const Label&) const = default;
};

// A hierarchy by its labels and the pairs (lower, upper) of its edges, of the
// concepts with these intents.
using Edges = std::set<std::pair<Label, Label>>;
struct Drawing {
  std::set<Label> nodes;
  Edges edges;
  bool operator==(const Drawing&) const = default;
};

inline Label label(const Context& context, Bits intent) {
  Label found;
  for (std::size_t i = 0; i < context.objects.size(); ++i)
    if (context.objects[i] == intent)
      found.objects.insert(i);

  for (std::size_t j = 0; j < context.attributes; ++j)
    if (context.closed(Bits{1} << j) == intent)
      found.attributes.insert(j);

  return found;
}

// The concepts at which something stands, and the reduced order among them.
inline Drawing stripped(const Context& context) {
  std::map<Bits, Label> labels;
  for (auto intent : next_closure(context))
    if (auto found = label(context, intent); found != Label{})
      labels[intent] = std::move(found);

  Drawing drawing;
  const auto above = [](Bits upper, Bits lower) {
    return upper != lower && (upper & lower) == upper;
  };

  for (const auto& [lower, lower_label] : labels) {
    drawing.nodes.insert(lower_label);
    for (const auto& [upper, upper_label] : labels) {
      bool covers = above(upper, lower);
      for (const auto& [between, ignored] : labels)
        covers = covers && !(above(upper, between) && above(between, lower));
      if (covers)
        drawing.edges.insert({lower_label, upper_label});
    }
  }

  return drawing;
}

}  // namespace tracefold::brute_force
