// A table of numbers of which most are small: rows are added one after the other, and read by
// column when all are there. About 2 bytes a number, and none of a column of zeros. One thread at a
// time.
#pragma once

#include "base/packed_values.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

class PackedRows {
 public:
  // All rows have equally many values.
  void add(std::span<const std::uint64_t> values);
  // Call once, after the last row.
  void finish();

  std::size_t size() const { return rows_; }
  std::size_t bytes() const { return bytes_.capacity() + ends_.capacity() * sizeof(ends_[0]); }
  // By row; all 0 where the column has no values. After finish().
  std::vector<std::uint64_t> read(std::size_t column) const;
  // Whether any row has a value in it that is not 0.
  bool has(std::size_t column) const {
    return column < ends_.size() && find_begin(column) < ends_[column];
  }
  // The same rows in another order: row k of the result is row places[k].
  PackedRows reorder(std::span<const std::uint64_t> places) const;

 private:
  friend auto list_members(Like<PackedRows> auto& rows) {
    return std::tie(rows.rows_, rows.values_, rows.bytes_, rows.ends_);
  }

  std::size_t find_begin(std::size_t column) const { return column == 0 ? 0 : ends_[column - 1]; }
  void put(std::span<const std::uint64_t> column);

  std::size_t rows_ = 0;
  std::vector<std::uint64_t> values_;  // row by row, before finish()
  std::string bytes_;                  // column by column, after it: varints
  std::vector<std::size_t> ends_;      // by column, in `bytes_`
};

}  // namespace tracefold
