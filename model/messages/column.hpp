// One parameter of one operation, over all ranks that have the operation: a formula of the
// rank where one fits, else a table. Plain data.
//
// Source: signatures 3.3 and 4 (relative end points; user functions for end points of CG and
// FT), which formulas of the rank replace here.
#pragma once

#include "model/messages/packed_columns.hpp"
#include "model/messages/rank_list.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class ColumnForm : std::uint8_t {
  constant,      // numbers: c
  shift,         // (r + c) mod P
  exclusive_or,  // r XOR c
  torus,         // lengths of 2 or 3 dimensions, as many offsets: r's place in the grid, moved
  transpose,     // n, k: r / k in n columns, with rows and columns exchanged; r mod k stays
  linear,        // a, b: a + b · r
  table,
};

struct RankValue {
  std::uint32_t rank = 0;
  std::uint64_t value = 0;

  bool operator==(const RankValue&) const = default;
};

struct Column {
  ColumnForm form = ColumnForm::constant;
  std::vector<std::int64_t> numbers;
  std::vector<RankValue> table;  // ascending by rank

  bool operator==(const Column&) const = default;
};

// A column that stands elsewhere, which must stay.
struct ColumnView {
  ColumnForm form = ColumnForm::constant;
  std::span<const std::int64_t> numbers;
  std::span<const RankValue> table;

  ColumnView(ColumnForm f, std::span<const std::int64_t> n, std::span<const RankValue> t)
      : form(f), numbers(n), table(t) {}
  ColumnView(const Column& column)  // NOLINT(google-explicit-constructor): a column is one
      : form(column.form), numbers(column.numbers), table(column.table) {}

  friend bool operator==(const ColumnView& a, const ColumnView& b);
};

// Columns one after the other, without memory of their own each: a program in which every
// message has another size has as many columns as messages.
//
// Memory: 16 bytes for a column, and its numbers where there are several, or its table.
class ColumnList {
 public:
  ColumnList() = default;
  ColumnList(std::initializer_list<Column> columns) {
    for (const auto& column : columns)
      push_back(column);
  }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  // Valid until a column is added.
  ColumnView operator[](std::size_t at) const;
  void push_back(const ColumnView& column);

  bool operator==(const ColumnList&) const = default;

 private:
  struct Entry {
    std::int64_t number = 0;  // of a constant; else the place of its first number or line
    std::uint32_t size = 0;   // so many numbers or lines
    ColumnForm form = ColumnForm::constant;

    bool operator==(const Entry&) const = default;
  };

  std::vector<Entry> entries_;
  std::vector<std::int64_t> numbers_;
  std::vector<RankValue> lines_;
};

// The value that a column has for a rank. Throws Error(input) where the rank is not below P =
// `size`, or the column does not hold it.
std::uint64_t find_value(const ColumnView& column, std::uint32_t rank, std::uint32_t size);

// Lists of ranks that several tables share, ascending each.
using RankLists = std::vector<std::vector<std::uint32_t>>;

// "5", "+3", "^4", "torus 8 8 0 1", "transpose 4 1", "linear 100 2", or a table: value and ranks of
// each line, "7 @ 1 0 4 2; 9 @ 1 1 4 2", or, if shorter, the number of one of the lists, to which
// ranks are added that are not there, and values: "values #0: 7 9 8", where equal steps are one
// word: "0*4+8" is 0 8 16 24. What is read may also name the ranks: "values 1 0 3 1: 7 9 8".
//
// Where there is a packer, values that are long as text are handed to it, and "packed #0" stands
// for them.
std::string column_text(const ColumnView& column, RankLists& lists, ColumnPacker* packer = nullptr);
// Packed values are taken from the unpacker. Throws Error(input) on another text, and where its
// numbers make no sense with P = `size` ranks.
Column parse_column(std::string_view text, std::uint32_t size, const RankLists& lists = {},
                    ColumnUnpacker* unpacker = nullptr);

}  // namespace tracefold
