#include "lattice/poset.hpp"

#include "lattice/distinct.hpp"

namespace tracefold::lattice {

namespace {

// What all of `rows` that `which` names have in common, as far as `common`
// reaches. They all have bit `keep`: stops where nothing else is left.
void intersect_all(const BitRows& rows, std::span<const Word> which, std::size_t keep, std::span<Word> common) {
  const auto only_keep_is_left = [&] {
    for (std::size_t w = 0; w < common.size(); ++w)
      if (common[w] != (w == keep / word_bits ? Word{1} << keep % word_bits : 0)) return false;
    return true;
  };
  fill_bits(common, std::min(rows.width(), common.size() * word_bits));
  for (std::size_t w = 0; w < which.size(); ++w)
    for (Word left = which[w]; left != 0; left &= left - 1) {
      intersect(common, rows.row(w * word_bits + static_cast<std::size_t>(std::countr_zero(left))).first(common.size()));
      if (only_keep_is_left()) return;
    }
}

// Nodes that are known by their extents, one for each that differs.
struct Nodes {
  BitRows extents;     // node × intent, from the top
  BitRows holders;     // intent × node
  Hierarchy labelled;  // without edges
};

// The extents of attribute concepts are the columns; those of object concepts
// are what the columns of an intent have in common.
Nodes nodes_of(const BitRows& intents) {
  const auto columns = transposed(intents);
  DistinctSpans<> extents;
  std::vector<std::size_t> of_attribute, of_intent;
  for (std::size_t j = 0; j < columns.size(); ++j) of_attribute.push_back(extents.number_of(columns.row(j)));
  std::vector<Word> extent(words_for(intents.size()));
  for (std::size_t i = 0; i < intents.size(); ++i) {
    intersect_all(columns, intents.row(i), i, extent);
    of_intent.push_back(extents.number_of(extent));
  }
  BitRows unordered(extents.size(), intents.size());
  for (std::size_t x = 0; x < extents.size(); ++x) std::ranges::copy(extents.at(x), unordered.row(x).begin());
  const auto order = from_the_top(unordered);
  std::vector<std::size_t> place(order.size());
  Nodes nodes{BitRows(order.size(), intents.size()), {}, Hierarchy(order.size())};
  for (std::size_t x = 0; x < order.size(); ++x) {
    place[order[x]] = x;
    std::ranges::copy(unordered.row(order[x]), nodes.extents.row(x).begin());
  }
  for (std::size_t j = 0; j < of_attribute.size(); ++j) nodes.labelled[place[of_attribute[j]]].attributes.push_back(j);
  for (std::size_t i = 0; i < of_intent.size(); ++i) nodes.labelled[place[of_intent[i]]].intent = i;
  nodes.holders = transposed(nodes.extents);
  return nodes;
}

}  // namespace

Hierarchy aoc_poset(const BitRows& intents) {
  auto nodes = nodes_of(intents);
  BitRows up(nodes.extents.size(), nodes.extents.size());
  for (std::size_t x = 0; x < up.size(); ++x) {
    // An extent that holds an intent holds all of that intent's node.
    const auto intent = nodes.labelled[x].intent;
    if (intent) std::ranges::copy(nodes.holders.row(*intent), up.row(x).begin());
    else intersect_all(nodes.holders, nodes.extents.row(x), x, up.row(x).first(x / word_bits + 1));
  }
  add_covers(nodes.labelled, up);
  return std::move(nodes.labelled);
}

}  // namespace tracefold::lattice
