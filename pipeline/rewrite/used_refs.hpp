// The ids that events refer to, by kind.
//
// Used by one thread at a time; results of several threads are merged.
#pragma once

#include "base/packed_values.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace tracefold {

// A set of ids: a bit for each small id, a hash table for others.
class IdSet {
 public:
  [[gnu::always_inline]] void insert(std::uint64_t id) {
    if (id / 64 >= bits_.size() && !make_room(id)) {
      insert_other(id);
      return;
    }
    bits_[id / 64] |= std::uint64_t{1} << id % 64;
  }
  void merge(const IdSet& other) {
    other.for_each([&](std::uint64_t id) { insert(id); });
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t word = 0; word < bits_.size(); ++word)
      for (auto left = bits_[word]; left; left &= left - 1)
        visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
    for (auto id : others_)
      visit(id);
  }

  friend auto list_members(Like<IdSet> auto& set) { return std::tie(set.bits_, set.others_); }

 private:
  static constexpr std::uint64_t largest_small = 1 << 22;
  [[gnu::noinline]] void insert_other(std::uint64_t id) { others_.insert(id); }
  [[gnu::noinline]] bool make_room(std::uint64_t id) {
    if (id >= largest_small)
      return false;
    bits_.resize(std::max<std::size_t>(id / 64 + 1, 2 * bits_.size()));
    return true;
  }
  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::uint64_t> others_;
};

class UsedRefs {
 public:
  void add(Ref kind, std::uint64_t id) { sets_[static_cast<std::size_t>(kind)].insert(id); }
  void add(const Attribute& attribute) {
    add(Ref::attribute, attribute.id);
    if (auto kind = ref_from_type(attribute.type))
      add(*kind, attribute.value);
  }
  void add(const Event& event) {
    for_each_ref(get_row(event.kind).shape(), event.fields, event.list,
                 [&](Ref kind, std::uint64_t id) { add(kind, id); });
    for (const auto& a : event.attributes)
      add(a);
  }
  // Adds everything that is defined.
  void add_all(const Definitions& definitions) {
    for (const auto& d : definitions.all())
      if (const auto shape = get_row(d.kind).shape();
          !shape.empty() && shape[0].role == FieldRole::self)
        add(shape[0].target, d.id());
  }
  void forget(Ref kind) { sets_[static_cast<std::size_t>(kind)] = {}; }
  void merge(const UsedRefs& other) {
    for (std::size_t k = 0; k < ref_kinds; ++k)
      sets_[k].merge(other.sets_[k]);
  }
  const IdSet& get(Ref kind) const { return sets_[static_cast<std::size_t>(kind)]; }

  friend auto list_members(Like<UsedRefs> auto& used) { return std::tie(used.sets_); }

 private:
  std::array<IdSet, ref_kinds> sets_;
};

}  // namespace tracefold
