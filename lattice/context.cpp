#include "lattice/context.hpp"

#include <iterator>
#include <map>

namespace tracefold::lattice {

namespace {

// Every element of a set is an attribute.
BitRows make_rows(const std::vector<Set>& sets, const std::vector<Element>& attributes) {
  BitRows rows(sets.size(), attributes.size());

  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto place = attributes.begin();
    for (auto element : sets[i]) {
      place = std::lower_bound(place, attributes.end(), element);
      set_bit(rows.row(i), static_cast<std::size_t>(place - attributes.begin()));
    }
  }

  return rows;
}

}  // namespace

Context build_context(const std::vector<Set>& sets) {
  Context context;
  std::map<Set, std::size_t> numbers;
  std::vector<Set> distinct;

  for (std::size_t object = 0; object < sets.size(); ++object) {
    const auto [at, is_new] = numbers.try_emplace(sets[object], distinct.size());
    if (is_new) {
      distinct.push_back(sets[object]);
      context.objects.emplace_back();
    }
    context.objects[at->second].push_back(object);
  }

  context.attributes = unite_sets(distinct);
  context.intents = make_rows(distinct, context.attributes);

  return context;
}

Set unite_sets(std::vector<Set> sets) {
  for (std::size_t step = 1; step < sets.size(); step *= 2)
    for (std::size_t i = 0; i + step < sets.size(); i += 2 * step) {
      Set both;
      std::ranges::set_union(sets[i], sets[i + step], std::back_inserter(both));
      sets[i] = std::move(both);
      sets[i + step] = {};
    }

  return sets.empty() ? Set{} : std::move(sets[0]);
}

BitRows to_rows(const std::vector<Set>& sets) {
  return make_rows(sets, unite_sets(sets));
}

}  // namespace tracefold::lattice
