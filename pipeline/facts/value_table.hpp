// Values by row and column. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

struct ValueTable {
  ValueTable(std::size_t rows, std::size_t columns) : width(columns), values(rows * columns) {}

  std::uint64_t& at(std::size_t row, std::size_t column) { return values[row * width + column]; }
  std::span<const std::uint64_t> row(std::size_t k) const {
    return std::span(values).subspan(k * width, width);
  }

  std::size_t width;
  std::vector<std::uint64_t> values;
};

}  // namespace tracefold
