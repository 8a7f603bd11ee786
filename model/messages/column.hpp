// One parameter of an operation over all ranks that have the operation: a formula of the rank where
// one fits, otherwise a table. Plain data. P is the number of ranks, r the rank.
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
  torus,  // the lengths of 2 or 3 dimensions and an offset for each: r's place in the grid, moved
  transpose,  // n, k: r / k in n columns, with rows and columns exchanged; r mod k stays
  linear,     // a, b: a + b · r
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

// A view of a column, which must outlive it.
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

// A list of columns without separate memory for each: a program whose messages all have different
// sizes has as many columns as messages.
//
// Memory: 16 bytes for each column, plus its table, or its numbers where there are several.
class ColumnList {
 public:
  ColumnList() = default;
  ColumnList(std::initializer_list<Column> columns) {
    for (const auto& column : columns)
      push_back(column);
  }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  // Valid until the next push_back().
  ColumnView operator[](std::size_t at) const;
  void push_back(const ColumnView& column);

  bool operator==(const ColumnList&) const = default;

 private:
  struct Entry {
    std::int64_t number = 0;  // of a constant; otherwise the index of its first number or line
    std::uint32_t size = 0;   // number of numbers or lines
    ColumnForm form = ColumnForm::constant;

    bool operator==(const Entry&) const = default;
  };

  std::vector<Entry> entries_;
  std::vector<std::int64_t> numbers_;
  std::vector<RankValue> lines_;
};

// The value for a rank. Throws Error(input) where the rank is not below P = `size`, or the table
// does not have it.
std::uint64_t find_value(const ColumnView& column, std::uint32_t rank, std::uint32_t size);

// Ascending lists of ranks that several tables share.
using RankLists = std::vector<std::vector<std::uint32_t>>;

// A column as text: "5", "+3", "^4", "torus 8 8 0 1", "transpose 4 1", "linear 100 2", or a table.
// A table is a list of values with their ranks, "7 @ 1 0 4 2; 9 @ 1 1 4 2", or, if shorter, the
// number of a list of ranks and the values, "values #0: 7 9 8"; a missing list is appended to
// `lists`. "0*4+8" in values is 0 8 16 24. The reader also takes the ranks themselves:
// "values 1 0 3 1: 7 9 8".
//
// With a packer, long values are given to it, and "packed #0" stands for them.
std::string column_text(const ColumnView& column, RankLists& lists, ColumnPacker* packer = nullptr);
// Packed values come from the unpacker. Throws Error(input) where the text is wrong, or its numbers
// do not fit P = `size` ranks.
Column parse_column(std::string_view text, std::uint32_t size, const RankLists& lists = {},
                    ColumnUnpacker* unpacker = nullptr);

}  // namespace tracefold
