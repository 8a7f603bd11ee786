// Exact sums of many 64-bit values, as 128-bit numbers in 64 bits each for as long
// as no sum needs more. Element by element; a value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

__extension__ using Wide = unsigned __int128;

class WideSums {
 public:
  WideSums() = default;
  explicit WideSums(std::size_t size) : low_(size) {}
  explicit WideSums(std::span<const std::uint64_t> values) : low_(values.begin(), values.end()) {}

  // Of equal sizes. O(size).
  void add(std::span<const std::uint64_t> values);
  void add(const WideSums& other);
  void add_at(std::size_t k, Wide value);

  std::size_t size() const { return low_.size(); }
  Wide operator[](std::size_t k) const {
    return high_.empty() ? low_[k] : Wide{high_[k]} << 64 | low_[k];
  }
  bool operator==(const WideSums& other) const;
  std::size_t bytes() const { return (low_.capacity() + high_.capacity()) * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> low_, high_;  // high_ is empty while all of it would be 0
};

}  // namespace tracefold
