// Packs the values of columns that follow no formula: for each table the width of its values in
// bytes, 1 to 8, then the values in the order of ranks, little-endian. Tables that have the same
// values in another order of ranks, as those of sends and receives, are then equal over long
// stretches, which zstd uses.
//
// One thread for each object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct RankValue;

class ColumnPacker {
 public:
  void add(std::span<const RankValue> table);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The bytes are not trusted.
class ColumnUnpacker {
 public:
  explicit ColumnUnpacker(std::string_view bytes = {}) : rest_(bytes) {}

  // The values of the next table. Throws Error(input) where it does not have this number of them.
  std::vector<std::uint64_t> take(std::size_t values);
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace tracefold
