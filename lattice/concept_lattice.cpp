#include "lattice/concept_lattice.hpp"

#include <numeric>

namespace tracefold::lattice {

namespace {

// Which intents stand at or below each concept. Passes them on from concepts
// with more attributes to those with fewer, which are above.
BitRows find_extents(const AddIntent& lattice,
                     const std::vector<std::size_t>& concepts_of_intents) {
  std::vector<std::size_t> order(lattice.size()), attributes;
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto c : order)
    attributes.push_back(count_bits(lattice.intent(c)));

  std::ranges::sort(order, std::ranges::greater{}, [&](auto c) { return attributes[c]; });
  BitRows extents(lattice.size(), concepts_of_intents.size());
  for (std::size_t i = 0; i < concepts_of_intents.size(); ++i)
    set_bit(extents.row(concepts_of_intents[i]), i);
  for (auto c : order)
    for (auto parent : lattice.parents(c))
      unite(extents.row(parent), extents.row(c));

  return extents;
}

// What no concept above has, ascending.
std::vector<std::size_t> own_attributes(const AddIntent& lattice, std::size_t node) {
  std::vector<Word> own(lattice.intent(node).begin(), lattice.intent(node).end());
  for (auto parent : lattice.parents(node))
    subtract(own, lattice.intent(parent));
  std::vector<std::size_t> attributes;
  for_each_bit(own, [&](std::size_t j) { attributes.push_back(j); });

  return attributes;
}

}  // namespace

Hierarchy label_concepts(const AddIntent& lattice,
                         const std::vector<std::size_t>& concepts_of_intents) {
  const auto order = order_from_top(find_extents(lattice, concepts_of_intents));
  std::vector<std::size_t> place(order.size());
  for (std::size_t x = 0; x < order.size(); ++x)
    place[order[x]] = x;

  Hierarchy graph(order.size());
  for (std::size_t x = 0; x < order.size(); ++x) {
    graph[x].attributes = own_attributes(lattice, order[x]);
    std::vector<std::size_t> above;
    for (auto parent : lattice.parents(order[x]))
      above.push_back(place[parent]);

    std::ranges::sort(above, std::ranges::greater{});
    for (auto parent : above)
      add_edge(x, parent, graph);
  }

  for (std::size_t i = 0; i < concepts_of_intents.size(); ++i)
    graph[place[concepts_of_intents[i]]].intent = i;

  return graph;
}

std::optional<Hierarchy> build_concept_lattice(const BitRows& intents, std::size_t max_nodes) {
  AddIntent lattice(intents.width(), max_nodes);
  std::vector<std::size_t> concepts;
  for (std::size_t i = 0; i < intents.size(); ++i) {
    const auto found = lattice.insert(intents.row(i));
    if (!found)
      return std::nullopt;
    concepts.push_back(*found);
  }

  return label_concepts(lattice, concepts);
}

}  // namespace tracefold::lattice
