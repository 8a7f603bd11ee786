#include "model/program/number_blocks.hpp"

#include "base/error.hpp"
#include "base/varints.hpp"
#include "base/zstd_frame.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::uint64_t most_block_columns = 1'024;
constexpr std::uint64_t escape = 255;  // the byte of a number that does not fit in one

// The numbers are part of the format.
enum class Predictor : std::uint8_t {
  none,
  above,
  before,
  above_and_before,
  above_in_group,
  above_in_group_and_before,
  level_of_row,
  level_of_column,
};

constexpr bool uses_groups(Predictor predictor) {
  return predictor == Predictor::above_in_group ||
         predictor == Predictor::above_in_group_and_before;
}

constexpr bool uses_levels(Predictor predictor) {
  return predictor == Predictor::level_of_row || predictor == Predictor::level_of_column;
}

std::size_t find_row_above(Predictor predictor, BlockRows rows, std::size_t row) {
  if (!uses_groups(predictor) || !rows.groups)
    return row - 1;
  return rows.groups->find_above(rows.first + row, rows.first) - rows.first;
}

// log2 of a number in 1/256, by integers, so that each machine chooses the same.
std::uint64_t find_log(std::uint64_t number) {
  const auto whole = static_cast<std::uint64_t>(std::bit_width(number) - 1);
  const auto fraction = ((number << (63 - whole)) >> 55) & 0xff;
  return whole * 256 + fraction;
}

std::uint64_t count_varint_bits(std::uint64_t number) {
  return (static_cast<std::uint64_t>(std::bit_width(number | 1)) + 6) / 7 * 8;
}

// Packs numbers of 64 bits, or faster those that have no more than `most_narrow_bits` as numbers of
// 32 bits, with the same differences.
constexpr int most_narrow_bits = 29;

template <class Number>
class BlockPacker {
 public:
  BlockPacker(std::span<const Number> numbers, std::size_t columns, BlockRows rows)
      : numbers_(numbers),
        columns_(columns),
        count_(numbers.size() / columns),
        rows_(rows),
        differences_(columns) {}

  std::string pack() {
    const auto predictor = choose();
    std::string bytes(1, static_cast<char>(predictor));
    if (uses_levels(predictor))
      put_levels(bytes, predictor);
    put_differences(bytes, predictor);
    return pack_frame(bytes, FrameContent::differences);
  }

 private:
  using Counts = std::array<std::uint32_t, 256>;

  Predictor choose() {
    auto best = Predictor::none;
    auto fewest = estimate_bits(best);
    for (const auto predictor : list_others()) {
      const auto bits = estimate_bits(predictor);
      if (bits < fewest) {
        best = predictor;
        fewest = bits;
      }
    }
    return best;
  }

  // What may be better than none for a block of this shape.
  std::vector<Predictor> list_others() {
    const bool has_rows = count_ > 1, has_columns = columns_ > 1;
    std::vector<Predictor> others;
    if (has_columns)
      others.push_back(Predictor::before);
    if (has_rows)
      others.push_back(Predictor::above);
    if (has_rows && has_columns)
      others.push_back(Predictor::above_and_before);
    if (groups_differ())
      others.push_back(Predictor::above_in_group);
    if (groups_differ() && has_columns)
      others.push_back(Predictor::above_in_group_and_before);
    if (has_columns)
      others.push_back(Predictor::level_of_row);
    if (has_rows)
      others.push_back(Predictor::level_of_column);
    return others;
  }

  // Whether the groups say anything else than the order of rows.
  bool groups_differ() const {
    for (std::size_t row = 1; row < count_; ++row)
      if (find_row_above(Predictor::above_in_group, rows_, row) != row - 1)
        return true;
    return false;
  }

  // Entropy of the bytes, and what does not fit in one.
  std::uint64_t estimate_bits(Predictor predictor) {
    std::array<Counts, 2> counts{};
    std::uint64_t bits = 0;
    if (uses_levels(predictor))
      bits += find_levels(predictor);
    for (std::size_t row = 0; row < count_; ++row) {
      subtract(predictor, row);
      for (std::size_t column = 0; column < columns_; ++column) {
        const auto number = differences_[column];
        if (number >= escape)
          bits += count_varint_bits(number - escape);
        ++counts[column % 2][std::min<Number>(number, escape)];
      }
    }
    return bits + estimate_entropy(counts);
  }

  std::uint64_t estimate_entropy(const std::array<Counts, 2>& counts) const {
    const auto all = find_log(numbers_.size());
    std::uint64_t entropy = 0;
    for (std::size_t byte = 0; byte < counts[0].size(); ++byte)
      if (const std::uint64_t count = counts[0][byte] + counts[1][byte])
        entropy += count * (all - std::min(all, find_log(count)));
    return entropy / 256;
  }

  // Fills differences_ with those of a row, as zigzag.
  void subtract(Predictor predictor, std::size_t row) {
    const auto* here = numbers_.data() + row * columns_;
    auto* out = differences_.data();
    if (predictor == Predictor::none) {
      std::copy_n(here, columns_, out);
    } else if (predictor == Predictor::level_of_row) {
      for (std::size_t k = 0; k < columns_; ++k)
        out[k] = here[k] - levels_of_rows_[row];
    } else if (predictor == Predictor::level_of_column) {
      for (std::size_t k = 0; k < columns_; ++k)
        out[k] = here[k] - levels_of_columns_[k];
    } else if (row == 0) {
      subtract_before(here, out, Number{0});
    } else {
      const auto* above = numbers_.data() + find_row_above(predictor, rows_, row) * columns_;
      subtract_neighbours(predictor, here, above, out);
    }
    for (std::size_t k = 0; k < columns_; ++k)
      out[k] = to_zigzag(out[k]);
  }

  void subtract_before(const Number* here, Number* out, Number first) const {
    out[0] = here[0] - first;
    for (std::size_t k = 1; k < columns_; ++k)
      out[k] = here[k] - here[k - 1];
  }

  void subtract_neighbours(Predictor predictor, const Number* here, const Number* above,
                           Number* out) const {
    if (predictor == Predictor::before) {
      subtract_before(here, out, above[0]);
    } else if (predictor == Predictor::above || predictor == Predictor::above_in_group) {
      for (std::size_t k = 0; k < columns_; ++k)
        out[k] = here[k] - above[k];
    } else {
      out[0] = here[0] - above[0];
      for (std::size_t k = 1; k < columns_; ++k)
        out[k] = here[k] - here[k - 1] - above[k] + above[k - 1];
    }
  }

  // Finds the levels, and how many bits they take.
  std::uint64_t find_levels(Predictor predictor) {
    const bool of_rows = predictor == Predictor::level_of_row;
    auto& levels = of_rows ? levels_of_rows_ : levels_of_columns_;
    std::uint64_t bits = 0;
    Number last = 0;
    for (std::size_t k = 0; k < (of_rows ? count_ : columns_); ++k) {
      levels.push_back(of_rows ? find_median(k * columns_, 1, columns_)
                               : find_median(k, columns_, count_));
      bits += count_varint_bits(to_zigzag<Number>(levels.back() - last));
      last = levels.back();
    }
    return bits;
  }

  // The median of some of `count` numbers, from `first` on, each so many behind the other.
  Number find_median(std::size_t first, std::size_t distance, std::size_t count) const {
    constexpr std::size_t most = 31;
    std::array<Number, most> some;
    const auto taken = std::min(most, count);
    for (std::size_t k = 0; k < taken; ++k)
      some[k] = numbers_[first + k * count / taken * distance];
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(taken / 2);
    std::nth_element(some.begin(), middle, some.begin() + static_cast<std::ptrdiff_t>(taken));
    return *middle;
  }

  void put_levels(std::string& bytes, Predictor predictor) const {
    Number last = 0;
    for (const auto level :
         predictor == Predictor::level_of_row ? levels_of_rows_ : levels_of_columns_) {
      put_varint(bytes, to_zigzag<Number>(level - last));
      last = level;
    }
  }

  void put_differences(std::string& bytes, Predictor predictor) {
    const auto plane = bytes.size();
    bytes.resize(plane + numbers_.size());
    for (std::size_t row = 0; row < count_; ++row) {
      subtract(predictor, row);
      auto* out = bytes.data() + plane + row * columns_;
      for (std::size_t k = 0; k < columns_; ++k)
        out[k] = static_cast<char>(std::min<Number>(differences_[k], escape));
      for (const auto number : differences_)
        if (number >= escape)
          put_varint(bytes, number - escape);
    }
  }

  std::span<const Number> numbers_;
  std::size_t columns_, count_;
  BlockRows rows_;
  std::vector<Number> differences_;                         // of one row
  std::vector<Number> levels_of_rows_, levels_of_columns_;  // once they are estimated
};

[[noreturn]] void refuse_block() {
  throw Error(ErrorKind::input, "a block of the profiles is damaged");
}

class BlockUnpacker {
 public:
  BlockUnpacker(std::size_t columns, BlockRows rows, std::span<std::uint64_t> numbers)
      : columns_(columns), rows_(rows), numbers_(numbers), count_(numbers.size() / columns) {}

  void unpack(std::string_view bytes) {
    VarintReader reader(bytes);
    const auto kind = static_cast<unsigned char>(reader.take_bytes(1)[0]);
    if (kind > static_cast<unsigned>(Predictor::level_of_column))
      refuse_block();
    const auto predictor = Predictor{kind};
    if (uses_levels(predictor))
      take_levels(reader, predictor);
    take_differences(reader);
    if (!reader.at_end())
      refuse_block();
    for (std::size_t row = 0; row < count_; ++row)
      add_prediction(predictor, row);
  }

 private:
  void take_levels(VarintReader& reader, Predictor predictor) {
    levels_.resize(predictor == Predictor::level_of_row ? count_ : columns_);
    std::uint64_t last = 0;
    for (auto& level : levels_)
      last = level = last + from_zigzag(reader.take());
  }

  void take_differences(VarintReader& reader) {
    const auto plane = reader.take_bytes(numbers_.size());
    for (std::size_t k = 0; k < plane.size(); ++k) {
      std::uint64_t number = static_cast<unsigned char>(plane[k]);
      if (number == escape)
        number += reader.take();
      numbers_[k] = from_zigzag(number);
    }
  }

  void add_prediction(Predictor predictor, std::size_t row) {
    auto* here = numbers_.data() + row * columns_;
    if (predictor == Predictor::none)
      return;
    if (uses_levels(predictor)) {
      for (std::size_t k = 0; k < columns_; ++k)
        here[k] += levels_[predictor == Predictor::level_of_row ? row : k];
    } else if (row == 0) {
      add_before(here);
    } else {
      add_neighbours(predictor, here,
                     numbers_.data() + find_row_above(predictor, rows_, row) * columns_);
    }
  }

  void add_before(std::uint64_t* here) const {
    for (std::size_t k = 1; k < columns_; ++k)
      here[k] += here[k - 1];
  }

  void add_neighbours(Predictor predictor, std::uint64_t* here, const std::uint64_t* above) const {
    here[0] += above[0];
    if (predictor == Predictor::before) {
      add_before(here);
    } else if (predictor == Predictor::above || predictor == Predictor::above_in_group) {
      for (std::size_t k = 1; k < columns_; ++k)
        here[k] += above[k];
    } else {
      for (std::size_t k = 1; k < columns_; ++k)
        here[k] += here[k - 1] + above[k] - above[k - 1];
    }
  }

  std::size_t columns_;
  BlockRows rows_;
  std::span<std::uint64_t> numbers_;
  std::size_t count_;
  std::vector<std::uint64_t> levels_;
};

std::uint64_t divide_up(std::uint64_t all, std::uint64_t each) {
  return all / each + (all % each != 0);
}

}  // namespace

BlockGrid::BlockGrid(std::uint64_t rows, std::uint64_t columns) : rows_(rows), columns_(columns) {
  if (rows == 0 || columns == 0)
    return;
  blocks_of_band_ = divide_up(columns, most_block_columns);
  columns_of_block_ = divide_up(columns, blocks_of_band_);
  rows_of_band_ = most_block_numbers / columns_of_block_;
  bands_ = divide_up(rows, rows_of_band_);
}

NumberBlock BlockGrid::find(std::uint64_t block) const {
  const auto first_row = block / blocks_of_band_ * rows_of_band_;
  const auto first_column = block % blocks_of_band_ * columns_of_block_;
  return {first_row, std::min(rows_of_band_, rows_ - first_row), first_column,
          std::min(columns_of_block_, columns_ - first_column)};
}

RowGroups::RowGroups(std::span<const std::uint32_t> groups) : before_(groups.size()) {
  std::vector<std::uint32_t> rows(groups.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return groups[a] < groups[b]; });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool is_first = k == 0 || groups[rows[k]] != groups[rows[k - 1]];
    before_[rows[k]] = is_first ? rows[k] : rows[k - 1];
  }
}

std::string pack_block(std::span<const std::uint64_t> numbers, std::size_t columns,
                       BlockRows rows) {
  std::uint64_t all_bits = 0;
  for (const auto number : numbers)
    all_bits |= number;
  if (std::bit_width(all_bits) > most_narrow_bits)
    return BlockPacker<std::uint64_t>(numbers, columns, rows).pack();

  const std::vector<std::uint32_t> narrow(numbers.begin(), numbers.end());
  return BlockPacker<std::uint32_t>(narrow, columns, rows).pack();
}

void unpack_block(std::string_view bytes, std::size_t columns, BlockRows rows,
                  std::span<std::uint64_t> numbers) {
  // The predictor, a level for each row or column, and each number with what does not fit in a
  // byte.
  constexpr std::uint64_t most_bytes = 10;
  const auto size = read_frame_size(bytes);
  if (size > (2 * numbers.size() + 1) * (most_bytes + 1))
    refuse_block();
  BlockUnpacker(columns, rows, numbers).unpack(unpack_frame(bytes, size));
}

}  // namespace tracefold
