// The values of columns that follow no formula, as bytes: for each table the number of bytes of its
// values, from 1 to 8, then these, in the order of their ranks and each with its lowest byte first.
// Tables that hold each other's values in another order of ranks, as what is sent and what is
// received, are then equal over long stretches, which zstd makes use of.
//
// One thread each.
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

// What is read is not trusted.
class ColumnUnpacker {
 public:
  explicit ColumnUnpacker(std::string_view bytes = {}) : rest_(bytes) {}

  // The values of the next table, which has so many. Throws Error(input) where it has not.
  std::vector<std::uint64_t> take(std::size_t values);
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace tracefold
