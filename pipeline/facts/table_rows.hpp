// The rows of a table of tracefold.profiles, read some at a time, so that tables larger than memory
// can be processed.
//
// One thread. Memory: 32 MiB, or one row if that takes more.
#pragma once

#include "model/program/profiles_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class TableRows {
 public:
  // Both must outlive this; the table must belong to the file.
  TableRows(const ProfilesFile& file, const ProfilesTable& table)
      : file_(file),
        table_(table),
        together_(static_cast<std::size_t>(std::max<std::uint64_t>(
            most_numbers / std::max<std::uint64_t>(table.columns, 1), 1))) {}

  // Valid until another row is read; fast in ascending order. Throws Error(input) as
  // ProfilesFile::read_rows() does.
  std::span<const std::uint64_t> operator[](std::size_t row) {
    if (row < first_ || row - first_ >= count_) {
      first_ = row;
      count_ = static_cast<std::size_t>(std::min<std::uint64_t>(
          together_, table_.rows - std::min<std::uint64_t>(row, table_.rows)));
      values_ = file_.read_rows(table_, first_, std::max<std::size_t>(count_, 1));
    }
    const auto columns = static_cast<std::size_t>(table_.columns);
    return std::span(values_).subspan((row - first_) * columns, columns);
  }

  // The number of rows that are read at once.
  std::size_t together() const { return together_; }

 private:
  static constexpr std::uint64_t most_numbers = std::uint64_t{1} << 22;

  const ProfilesFile& file_;
  const ProfilesTable& table_;
  std::size_t together_;
  std::size_t first_ = 0, count_ = 0;  // of the rows in values_
  std::vector<std::uint64_t> values_;
};

}  // namespace tracefold
