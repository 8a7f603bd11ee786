// A table of whole numbers in blocks that are packed, and can be read, each by itself.
//
// Where blocks begin depends only on the numbers of rows and columns. The numbers of a block are
// predicted from others of it, and the differences packed by zstd; which of the predictions is used
// is up to the writer, who takes the one that promises the fewest bytes. docs/profiles-format.md
// has the bytes.
//
// Thread-safe. Memory: some times the block, which has 65,536 numbers at most.
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

// The blocks of a table, numbered row by row. A table without rows or columns has none.
class BlockGrid {
 public:
  BlockGrid(std::uint64_t rows, std::uint64_t columns);

  std::uint64_t count() const { return bands_ * blocks_of_band_; }
  // Blocks with the same rows are a band; all bands but the last have so many rows.
  std::uint64_t rows_of_band() const { return rows_of_band_; }
  std::uint64_t blocks_of_band() const { return blocks_of_band_; }
  NumberBlock find(std::uint64_t block) const;

 private:
  std::uint64_t rows_, columns_;
  std::uint64_t rows_of_band_ = 1, bands_ = 0;
  std::uint64_t columns_of_block_ = 1, blocks_of_band_ = 0;
};

// Rows that are likely to be alike, by numbers of groups that reader and writer know.
class RowGroups {
 public:
  RowGroups() = default;  // a table whose rows have no groups
  explicit RowGroups(std::span<const std::uint32_t> groups);

  std::size_t size() const { return before_.size(); }
  bool empty() const { return before_.empty(); }

  // The nearest row above that is of the same group and not above `first`; where there is none, the
  // row above. The row itself is below `first`.
  std::size_t find_above(std::size_t row, std::size_t first) const {
    const auto before = empty() ? row : before_[row];
    return before < first || before == row ? row - 1 : before;
  }

 private:
  std::vector<std::uint32_t> before_;  // by row: the row before of its group, or itself
};

// Where the rows of a block are in their table: its first row, and the groups of the table's rows,
// or none.
struct BlockRows {
  std::size_t first = 0;
  const RowGroups* groups = nullptr;
};

// The numbers are those of whole rows, one row behind the other.
std::string pack_block(std::span<const std::uint64_t> numbers, std::size_t columns, BlockRows rows);

// Fills all of `numbers`. The bytes are not trusted: throws Error(input) where they are damaged.
void unpack_block(std::string_view bytes, std::size_t columns, BlockRows rows,
                  std::span<std::uint64_t> numbers);

}  // namespace tracefold
