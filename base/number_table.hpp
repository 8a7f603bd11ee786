// A hash table that numbers values, so that equal values get the same number. The caller stores the
// values; the table stores only hashes and numbers. One thread at a time.
//
// Memory: 8 bytes for a slot; between a third and two thirds of the slots are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

class NumberTable {
 public:
  NumberTable() : slots_(std::size_t{1} << 6) {}

  // Returns the number of the value with this hash for which is_equal(number) is true. Where there
  // is none, the value gets the number `next`, and the caller has to store it.
  template <class IsEqual>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t next, IsEqual&& is_equal) {
    const auto short_hash = shorten(hash);
    const auto mask = slots_.size() - 1;
    for (auto s = short_hash & mask;; s = (s + 1) & mask) {
      if (slots_[s].number == none) {
        slots_[s] = {short_hash, next};
        if (++used_ * 3 > slots_.size() * 2)
          grow();
        return next;
      }
      if (slots_[s].hash == short_hash && is_equal(slots_[s].number))
        return slots_[s].number;
    }
  }

  // The same for values that are stored in `list`; a new value is appended to it.
  template <class List, class Thing>
  std::uint32_t find_or_push(std::uint64_t hash, List& list, const Thing& thing) {
    const auto next = static_cast<std::uint32_t>(list.size());
    const auto number = find_or_add(hash, next, [&](auto n) { return list[n] == thing; });
    if (number == next)
      list.push_back(thing);
    return number;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Slot {
    std::uint32_t hash = 0, number = none;
  };

  static std::uint32_t shorten(std::uint64_t hash) {
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return static_cast<std::uint32_t>(hash >> 32);
  }

  void grow() {
    const auto old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    const auto mask = slots_.size() - 1;
    for (const auto& slot : old) {
      if (slot.number == none)
        continue;
      auto s = slot.hash & mask;
      while (slots_[s].number != none)
        s = (s + 1) & mask;
      slots_[s] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace tracefold
