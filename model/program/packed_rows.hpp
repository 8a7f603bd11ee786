// A table of mostly small numbers. Rows are added one by one; after finish(), columns are read. It
// takes about 2 bytes for each number, and nothing for a column of zeros. One thread at a time;
// only finished tables can be packed.
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
  // All rows have the same number of values.
  void add(std::span<const std::uint64_t> values);
  // Call once, after the last row.
  void finish();

  std::size_t size() const { return rows_; }
  std::size_t bytes() const;
  // By row; all 0 for a column without values. Call after finish().
  std::vector<std::uint64_t> read(std::size_t column) const;
  // Whether any row has a non-zero value in this column.
  bool has(std::size_t column) const {
    if (is_elsewhere_)
      throw_elsewhere();
    return !content_.empty() && column < content_[0].ends.size() &&
           find_begin(column) < content_[0].ends[column];
  }
  // The rows in another order: row k of the result is row places[k].
  PackedRows reorder(std::span<const std::uint64_t> places) const;

  // The same number of rows without values, which another member of the team has. Reading them
  // throws std::logic_error.
  PackedRows leave_values() const;
  bool is_elsewhere() const { return is_elsewhere_; }

 private:
  // Varints of the rows up to the last value that is not 0.
  struct Column {
    std::string bytes;
    std::size_t rows = 0;
  };
  struct Content {
    std::vector<Column> columns;    // before finish()
    std::string bytes;              // column by column, after it
    std::vector<std::size_t> ends;  // by column: end of its values in `bytes`
  };
  friend auto list_members(Like<Content> auto& content) {
    return std::tie(content.bytes, content.ends);
  }
  friend auto list_members(Like<PackedRows> auto& rows) {
    return std::tie(rows.rows_, rows.is_elsewhere_, rows.content_);
  }

  std::size_t find_begin(std::size_t column) const {
    return column == 0 ? 0 : content_[0].ends[column - 1];
  }
  [[noreturn]] static void throw_elsewhere();

  std::size_t rows_ = 0;
  bool is_elsewhere_ = false;
  std::vector<Content> content_;  // one element; none without rows, since many tables are empty
};

}  // namespace tracefold
