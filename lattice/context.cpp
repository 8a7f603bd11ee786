#include "lattice/context.hpp"

#include <cassert>
#include <iterator>
#include <numeric>

namespace tracefold::lattice {

namespace {

// Puts intents into the order of their first members.
Context in_order(std::vector<Element> attributes, const BitRows& intents,
                 std::vector<Members> members, const std::vector<std::uint64_t>& weights) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return members[a].first() < members[b].first(); });
  Context context{std::move(attributes), BitRows(order.size(), intents.width()), {}, {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ranges::copy(intents.row(order[i]), context.intents.row(i).begin());
    context.members.push_back(std::move(members[order[i]]));
    context.weights.push_back(weights[order[i]]);
  }

  return context;
}

// The rows of `from` over more attributes.
BitRows widened(const BitRows& rows, const std::vector<Element>& from,
                const std::vector<Element>& to) {
  std::vector<std::size_t> column;
  column.reserve(from.size());
  for (auto attribute : from)
    column.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(to, attribute) - to.begin()));

  BitRows wide(rows.size(), to.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for_each_bit(rows.row(i), [&](std::size_t bit) { set_bit(wide.row(i), column[bit]); });

  return wide;
}

template <class Spans>
BitRows make_rows(const Spans& sets, std::size_t width) {
  BitRows rows(sets.size(), width);
  for (std::size_t i = 0; i < sets.size(); ++i)
    std::ranges::copy(sets.at(i), rows.row(i).begin());
  return rows;
}

void widen(Context& context, const std::vector<Element>& attributes) {
  if (context.attributes == attributes)
    return;
  context.intents = widened(context.intents, context.attributes, attributes);
  context.attributes = attributes;
}

}  // namespace

Context merge(Context a, const Context& b) {
  const auto attributes = unite_sets({a.attributes, b.attributes});
  widen(a, attributes);
  const auto theirs =
      b.attributes == attributes ? b.intents : widened(b.intents, b.attributes, attributes);
  DistinctSpans<> sets;
  for (std::size_t i = 0; i < a.size(); ++i)
    sets.find_or_add(a.intents.row(i));

  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto number = sets.find_or_add(theirs.row(i));
    if (number == a.size()) {
      a.members.push_back(b.members[i]);
      a.weights.push_back(b.weights[i]);
    } else {
      a.members[number].add(b.members[i]);
      a.weights[number] += b.weights[i];
    }
  }

  return in_order(attributes, make_rows(sets, attributes.size()), std::move(a.members), a.weights);
}

void GroupedObjects::add(Object object, std::span<const Word> set, std::uint64_t weight) {
  const auto number = sets_.find_or_add(set);
  if (number == members_.size()) {
    members_.emplace_back();
    late_.emplace_back();
    weights_.push_back(0);
  }

  weights_[number] += weight;
  if (members_[number].empty() || members_[number].last() < object)
    members_[number].append(object);
  else
    late_[number].push_back(object);
}

std::vector<Members> GroupedObjects::take_members() {
  for (std::size_t i = 0; i < members_.size(); ++i)
    members_[i].add(make_members(std::move(late_[i])));
  return std::move(members_);
}

Context ContextBuilder::build() && {
  std::vector<std::span<const Element>> sets;
  for (std::size_t i = 0; i < objects_.sets().size(); ++i)
    sets.push_back(objects_.sets().at(i));
  auto attributes = unite_sets(sets);
  const auto rows = to_rows(sets, attributes);
  return in_order(std::move(attributes), rows, objects_.take_members(), objects_.weights());
}

void RowContextBuilder::add(Object object, std::span<const Word> row, std::uint64_t weight) {
  assert(row.size() == words_for(attributes_.size()));
  objects_.add(object, row, weight);
}

Context RowContextBuilder::build() && {
  const auto rows = make_rows(objects_.sets(), attributes_.size());
  return in_order(std::move(attributes_), rows, objects_.take_members(), objects_.weights());
}

std::vector<Element> unite_sets(const std::vector<std::span<const Element>>& sets) {
  std::vector<Set> unions(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i)
    unions[i].assign(sets[i].begin(), sets[i].end());

  for (std::size_t step = 1; step < unions.size(); step *= 2)
    for (std::size_t i = 0; i + step < unions.size(); i += 2 * step) {
      Set both;
      std::ranges::set_union(unions[i], unions[i + step], std::back_inserter(both));
      unions[i] = std::move(both);
      unions[i + step] = {};
    }

  return unions.empty() ? Set{} : std::move(unions[0]);
}

BitRows to_rows(const std::vector<std::span<const Element>>& sets,
                const std::vector<Element>& attributes) {
  BitRows rows(sets.size(), attributes.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto place = attributes.begin();
    for (auto element : sets[i]) {
      place = std::lower_bound(place, attributes.end(), element);
      assert(place != attributes.end() && *place == element);
      set_bit(rows.row(i), static_cast<std::size_t>(place - attributes.begin()));
    }
  }

  return rows;
}

}  // namespace tracefold::lattice
