#include "lattice/poset.hpp"

#include <map>

namespace tracefold::lattice {

namespace {

// What all of `rows` that `which` names have in common, as far as `common` reaches.
void intersect_all(const BitRows& rows, std::span<const Word> which, std::span<Word> common) {
  fill_bits(common, std::min(rows.width(), common.size() * word_bits));
  for_each_bit(which, [&](std::size_t i) { intersect(common, rows.row(i).first(common.size())); });
}

// Distinct rows, numbered in the order in which they come.
using Numbers = std::map<std::vector<Word>, std::size_t>;

std::size_t find_or_add(Numbers& numbers, std::span<const Word> row) {
  return numbers.try_emplace({row.begin(), row.end()}, numbers.size()).first->second;
}

BitRows make_rows(const Numbers& numbers, std::size_t width) {
  BitRows rows(numbers.size(), width);
  for (const auto& [row, number] : numbers)
    std::ranges::copy(row, rows.row(number).begin());
  return rows;
}

// Adds the nodes, one for each extent that differs, and returns their extents
// (node × intent). The extents of attribute concepts are the columns; those of
// object concepts are what the columns of an intent have in common.
BitRows add_nodes(Hierarchy& hierarchy, const BitRows& intents) {
  const auto width = intents.size();
  Numbers extents;
  std::vector<std::size_t> of_attribute, of_intent;
  const auto columns = transpose_rows(intents);
  for (std::size_t j = 0; j < columns.size(); ++j)
    of_attribute.push_back(find_or_add(extents, columns.row(j)));

  const auto distinct = make_rows(extents, width), of_row = transpose_rows(distinct);
  std::vector<Word> extent(words_for(width));
  for (std::size_t i = 0; i < width; ++i) {
    intersect_all(distinct, of_row.row(i), extent);
    of_intent.push_back(find_or_add(extents, extent));
  }

  const auto all = make_rows(extents, width);
  const auto order = order_from_top(all);
  std::vector<std::size_t> place(order.size());
  for (std::size_t x = 0; x < order.size(); ++x)
    place[order[x]] = x;
  for (std::size_t x = 0; x < order.size(); ++x)
    add_vertex(hierarchy);
  for (std::size_t j = 0; j < of_attribute.size(); ++j)
    hierarchy[place[of_attribute[j]]].attributes.push_back(j);
  for (std::size_t i = 0; i < of_intent.size(); ++i)
    hierarchy[place[of_intent[i]]].intent = i;

  return pick_rows(all, order);
}

}  // namespace

Hierarchy build_aoc_poset(const BitRows& intents) {
  Hierarchy hierarchy;
  const auto extents = add_nodes(hierarchy, intents);
  const auto holders = transpose_rows(extents);
  BitRows up(extents.size(), extents.size());

  for (std::size_t x = 0; x < up.size(); ++x) {
    // An extent that holds an intent holds all of that intent's node.
    const auto intent = hierarchy[x].intent;
    if (intent)
      std::ranges::copy(holders.row(*intent), up.row(x).begin());
    else
      intersect_all(holders, extents.row(x), up.row(x).first(x / word_bits + 1));
  }

  add_covers(hierarchy, up);

  return hierarchy;
}

}  // namespace tracefold::lattice
