// Some rows of a table, column by column, as they are made before they are written.
//
// Every value has 64 bits: of a double these are its bits, of a text its place in a list of texts
// that whoever writes the rows has. One thread.
#pragma once

#include "parquet/column.hpp"

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracefold::parquet {

class Rows {
 public:
  Rows(const std::vector<Column>& columns, std::size_t most_rows)
      : most_rows_(most_rows), values_(columns.size() * most_rows), present_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].is_optional)
        present_[c].assign(most_rows, 0);
  }

  // The value of a column in the next row, which end_row() ends. Without a value an optional column
  // has none; another column must get one.
  [[gnu::always_inline]] void put(std::size_t column, std::uint64_t value) {
    assert(present_[column].empty());
    values_[column * most_rows_ + size_] = value;
  }
  void put(std::size_t column, std::optional<std::uint64_t> value) {
    present_[column][size_] = value.has_value();
    values_[column * most_rows_ + size_] = value.value_or(0);
  }
  void put_double(std::size_t column, double value) {
    put(column, std::bit_cast<std::uint64_t>(value));
  }
  void put_double(std::size_t column, std::optional<double> value) {
    put(column, value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt);
  }
  // Only where the rows are not full.
  void end_row() { ++size_; }

  std::size_t size() const { return size_; }
  bool is_full() const { return size_ == most_rows_; }
  void clear() { size_ = 0; }

  // One for each row, also where there is no value.
  std::span<const std::uint64_t> values(std::size_t column) const {
    return {values_.data() + column * most_rows_, size_};
  }
  // Whether there is a value, for each row; empty for columns that always have one.
  std::span<const std::uint8_t> present(std::size_t column) const {
    return {present_[column].data(), present_[column].empty() ? 0 : size_};
  }

 private:
  std::size_t most_rows_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> values_;               // column by column
  std::vector<std::vector<std::uint8_t>> present_;  // by column
};

}  // namespace tracefold::parquet
