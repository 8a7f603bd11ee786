// Sets of small dense numbers as rows of bits, 64 to a word, with functions to count and compare
// them. Pure; many threads may read a BitRows.
//
// Bits beyond the width of a row are always 0, so whole words may be compared.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold::lattice {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

constexpr std::size_t words_for(std::size_t bits) {
  return (bits + word_bits - 1) / word_bits;
}

// A table of bits: `size()` rows of `width()` bits each, in one block of memory.
class BitRows {
 public:
  BitRows() = default;
  BitRows(std::size_t rows, std::size_t width)
      : size_(rows), width_(width), words_(rows * words_for(width)) {}

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::span<Word> row(std::size_t i) {
    return {words_.data() + i * words_for(width_), words_for(width_)};
  }
  std::span<const Word> row(std::size_t i) const {
    return {words_.data() + i * words_for(width_), words_for(width_)};
  }

 private:
  std::size_t size_ = 0, width_ = 0;
  std::vector<Word> words_;
};

inline void set_bit(std::span<Word> row, std::size_t bit) {
  row[bit / word_bits] |= Word{1} << bit % word_bits;
}
inline void clear_bit(std::span<Word> row, std::size_t bit) {
  row[bit / word_bits] &= ~(Word{1} << bit % word_bits);
}
inline bool has_bit(std::span<const Word> row, std::size_t bit) {
  return row[bit / word_bits] >> bit % word_bits & 1;
}

// Sets the bits 0 to width - 1.
inline void fill_bits(std::span<Word> row, std::size_t width) {
  std::fill(row.begin(), row.end(), ~Word{0});
  if (width % word_bits != 0)
    row.back() = (Word{1} << width % word_bits) - 1;
}

// Adds neighbouring bits. std::popcount took three times as long, since it is a function call in
// builds for processors that may lack the instruction.
constexpr std::size_t count_ones(Word word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::size_t>(word * 0x0101010101010101 >> 56);
}

inline std::size_t count_bits(std::span<const Word> row) {
  std::size_t count = 0;
  for (auto word : row)
    count += count_ones(word);
  return count;
}

// |a ∩ b|
inline std::size_t count_common(std::span<const Word> a, std::span<const Word> b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.size(); ++w)
    count += count_ones(a[w] & b[w]);
  return count;
}

// a ⊆ b
inline bool is_subset(std::span<const Word> a, std::span<const Word> b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    if (a[w] & ~b[w])
      return false;
  return true;
}

inline void unite(std::span<Word> a, std::span<const Word> b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    a[w] |= b[w];
}
inline void intersect(std::span<Word> a, std::span<const Word> b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    a[w] &= b[w];
}
inline void subtract(std::span<Word> a, std::span<const Word> b) {
  for (std::size_t w = 0; w < a.size(); ++w)
    a[w] &= ~b[w];
}

// Calls visit(bit) for each bit that is set, ascending.
template <class Visit>
void for_each_bit(std::span<const Word> row, Visit visit) {
  for (std::size_t w = 0; w < row.size(); ++w)
    for (Word left = row[w]; left != 0; left &= left - 1)
      visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(left)));
}

// Turns rows into columns.
inline BitRows transpose_rows(const BitRows& rows) {
  BitRows columns(rows.width(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for_each_bit(rows.row(i), [&](std::size_t j) { set_bit(columns.row(j), i); });

  return columns;
}

// Copies some of the rows, in this order.
inline BitRows pick_rows(const BitRows& rows, const std::vector<std::size_t>& order) {
  BitRows picked(order.size(), rows.width());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::ranges::copy(rows.row(order[i]), picked.row(i).begin());

  return picked;
}

}  // namespace tracefold::lattice
