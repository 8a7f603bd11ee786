// The ids that the kept events name, by kind.
#pragma once

#include "model/event.hpp"

#include <array>
#include <cstdint>
#include <unordered_set>

namespace tracefold {

class UsedRefs {
 public:
  void add(Ref kind, std::uint64_t id) {
    auto& last = last_[static_cast<std::size_t>(kind)];
    if (last == id + 1) return;  // events mostly name what the one before named
    last = id + 1;
    sets_[static_cast<std::size_t>(kind)].insert(id);
  }
  void add(const Attribute& attribute) {
    add(Ref::attribute, attribute.id);
    if (auto kind = ref_of_type(attribute.type)) add(*kind, attribute.value);
  }
  void add(const Event& event) {
    for_each_ref(row_of(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t id) { add(kind, id); });
    for (const auto& a : event.attributes) add(a);
  }
  void merge(const UsedRefs& other) {
    for (std::size_t k = 0; k < ref_kinds; ++k) sets_[k].insert(other.sets_[k].begin(), other.sets_[k].end());
  }
  const std::unordered_set<std::uint64_t>& of(Ref kind) const { return sets_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<std::unordered_set<std::uint64_t>, ref_kinds> sets_;
  std::array<std::uint64_t, ref_kinds> last_{};
};

}  // namespace tracefold
