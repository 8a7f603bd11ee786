// Disjoint sets of the numbers 0, 1, 2, …, in 4 bytes each.
//
// A root holds its set's size, all others the way to it. Joined by size, with paths
// halved when they are walked, which is why finding changes it: nearly constant time.
// At most 2^31 - 1 numbers. One thread at a time.
//
// Source: dynamics 4.1.1; Tarjan (1975).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

class DisjointSets {
 public:
  static constexpr std::size_t most = (std::size_t{1} << 31) - 1;

  // A set of its own for the next number.
  void add() { cells_.push_back(root_bit | 1); }

  std::uint32_t find(std::uint32_t x) {
    while (!is_root(x)) {
      const auto next = cells_[x];
      if (is_root(next))
        return next;
      x = cells_[x] = cells_[next];
    }

    return x;
  }

  // The new root of two sets that are not one.
  std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    if (set_size(a) < set_size(b))
      std::swap(a, b);
    cells_[a] += set_size(b);
    cells_[b] = a;

    return a;
  }

  std::size_t size() const { return cells_.size(); }
  std::size_t bytes() const { return cells_.capacity() * sizeof(cells_[0]); }

 private:
  static constexpr std::uint32_t root_bit = 1u << 31;
  bool is_root(std::uint32_t x) const { return (cells_[x] & root_bit) != 0; }
  std::uint32_t set_size(std::uint32_t root) const { return cells_[root] & ~root_bit; }

  std::vector<std::uint32_t> cells_;
};

}  // namespace tracefold
