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
  std::size_t bytes() const;
  // By row; all 0 where the column has no values. After finish().
  std::vector<std::uint64_t> read(std::size_t column) const;
  // Whether any row has a value in it that is not 0.
  bool has(std::size_t column) const {
    if (is_elsewhere_)
      throw_elsewhere();
    return !content_.empty() && column < content_[0].ends.size() &&
           find_begin(column) < content_[0].ends[column];
  }
  // The same rows in another order: row k of the result is row places[k].
  PackedRows reorder(std::span<const std::uint64_t> places) const;

  // As many rows, whose values another member of a team holds: who asks for these gets
  // std::logic_error.
  PackedRows leave_values() const;
  bool is_elsewhere() const { return is_elsewhere_; }

 private:
  struct Content {
    std::vector<std::uint64_t> values;  // row by row, before finish()
    std::string bytes;                  // column by column, after it: varints
    std::vector<std::size_t> ends;      // by column, in `bytes`
  };
  friend auto list_members(Like<Content> auto& content) {
    return std::tie(content.values, content.bytes, content.ends);
  }
  friend auto list_members(Like<PackedRows> auto& rows) {
    return std::tie(rows.rows_, rows.is_elsewhere_, rows.content_);
  }

  std::size_t find_begin(std::size_t column) const {
    return column == 0 ? 0 : content_[0].ends[column - 1];
  }
  void put(std::span<const std::uint64_t> column);
  [[noreturn]] static void throw_elsewhere();

  std::size_t rows_ = 0;
  bool is_elsewhere_ = false;
  std::vector<Content> content_;  // one; none without rows, of which there are many
};

}  // namespace tracefold
