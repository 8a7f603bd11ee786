// A table of whole numbers in blocks that are packed and read one by one.
//
// The borders of blocks depend only on the numbers of rows and columns. Each number in a block is
// predicted from others in it, and the differences are packed by zstd. The writer chooses the
// prediction that promises the fewest bytes. docs/profiles-format.md describes the bytes.
//
// Thread-safe. Memory: a small multiple of the block, which has at most 65,536 numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

inline constexpr std::uint64_t most_block_numbers = 65'536;

struct NumberBlock {
  std::uint64_t first_row = 0, rows = 0, first_column = 0, columns = 0;
};

// The blocks of a table, numbered row by row. None for a table without rows or columns.
class BlockGrid {
 public:
  BlockGrid(std::uint64_t rows, std::uint64_t columns);

  std::uint64_t count() const { return bands_ * blocks_of_band_; }
  // Blocks with the same rows form a band. All bands but the last have this number of rows.
  std::uint64_t rows_of_band() const { return rows_of_band_; }
  std::uint64_t blocks_of_band() const { return blocks_of_band_; }
  NumberBlock find(std::uint64_t block) const;

 private:
  std::uint64_t rows_, columns_;
  std::uint64_t rows_of_band_ = 1, bands_ = 0;
  std::uint64_t columns_of_block_ = 1, blocks_of_band_ = 0;
};

// Says which rows are likely to be similar, by groups that reader and writer know.
class RowGroups {
 public:
  RowGroups() = default;  // rows have no groups
  explicit RowGroups(std::span<const std::uint32_t> groups);

  std::size_t size() const { return before_.size(); }
  bool empty() const { return before_.empty(); }

  // The nearest row above in the same group, but not above `first`; otherwise the row directly
  // above. `row` is below `first`.
  std::size_t find_above(std::size_t row, std::size_t first) const {
    const auto before = empty() ? row : before_[row];
    return before < first || before == row ? row - 1 : before;
  }

 private:
  std::vector<std::uint32_t> before_;  // by row: the row before it in its group, or itself
};

// Where the rows of a block are in their table: the first row, and the groups of rows, if any.
struct BlockRows {
  std::size_t first = 0;
  const RowGroups* groups = nullptr;
};

// The numbers are those of whole rows, row by row.
std::string pack_block(std::span<const std::uint64_t> numbers, std::size_t columns, BlockRows rows);

// Fills `numbers`. The bytes are not trusted: throws Error(input) where they are damaged.
void unpack_block(std::string_view bytes, std::size_t columns, BlockRows rows,
                  std::span<std::uint64_t> numbers);

}  // namespace tracefold
