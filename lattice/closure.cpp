#include "lattice/closure.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <numeric>

namespace tracefold::lattice {

namespace {

std::uint32_t get_from(Element pair) {
  return static_cast<std::uint32_t>(pair >> 32);
}
std::uint32_t get_to(Element pair) {
  return static_cast<std::uint32_t>(pair);
}

// The relation with dense numbers: members[v] is who v is, ascending.
struct Relation {
  std::vector<std::uint32_t> members;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // ascending
};

Relation dense(std::span<const Element> pairs) {
  Relation relation;
  for (auto pair : pairs) {
    relation.members.push_back(get_from(pair));
    relation.members.push_back(get_to(pair));
  }

  auto& members = relation.members;
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const auto number = [&](std::uint32_t member) {
    return static_cast<std::size_t>(std::ranges::lower_bound(members, member) - members.begin());
  };
  for (auto pair : pairs)
    relation.pairs.emplace_back(number(get_from(pair)), number(get_to(pair)));

  return relation;
}

// Who is reached from whom; members that reach each other share a row.
struct Reach {
  std::vector<std::size_t> row_of;  // by member
  BitRows reached;                  // row × member
};

// Tarjan's algorithm numbers a component after all that can be reached from it,
// so the rows that a row takes over are complete. Within a component each member
// is some other's `to`, so they all get into its row.
Reach find_reach(const Relation& relation) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
  const auto& pairs = relation.pairs;
  const Graph graph(boost::edges_are_sorted, pairs.begin(), pairs.end(), relation.members.size());
  std::vector<std::size_t> row_of(relation.members.size());
  const auto rows = boost::strong_components(
      graph, boost::make_iterator_property_map(row_of.begin(), get(boost::vertex_index, graph)));
  BitRows reached(rows, row_of.size());
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](auto p) { return row_of[pairs[p].first]; });

  for (auto p : order) {
    const auto from = row_of[pairs[p].first], to = row_of[pairs[p].second];
    set_bit(reached.row(from), pairs[p].second);
    if (from != to)
      unite(reached.row(from), reached.row(to));
  }

  return {std::move(row_of), std::move(reached)};
}

}  // namespace

Set find_closure(std::span<const Element> pairs) {
  const auto relation = dense(pairs);
  const auto reach = find_reach(relation);
  Set closed;
  for (std::size_t v = 0; v < relation.members.size(); ++v)
    for_each_bit(reach.reached.row(reach.row_of[v]), [&](std::size_t to) {
      closed.push_back(to_element(relation.members[v], relation.members[to]));
    });

  return closed;
}

}  // namespace tracefold::lattice
