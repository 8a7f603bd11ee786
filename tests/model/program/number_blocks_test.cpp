#include "model/program/number_blocks.hpp"

#include "base/error.hpp"
#include "base/zstd_frame.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <set>

namespace tracefold::number_blocks_test {

using Numbers = std::vector<std::uint64_t>;

Numbers unpack(const std::string& bytes, std::size_t columns, std::size_t count,
               BlockRows rows = {}) {
  Numbers numbers(count, 77);
  unpack_block(bytes, columns, rows, numbers);
  return numbers;
}

// How many bytes the numbers take, which come back.
std::size_t count_bytes(const Numbers& numbers, std::size_t columns, BlockRows rows = {}) {
  const auto bytes = pack_block(numbers, columns, rows);
  EXPECT_EQ(unpack(bytes, columns, numbers.size(), rows), numbers);
  return bytes.size();
}

// The predictor that was taken: the first byte of what is packed.
int find_predictor(const Numbers& numbers, std::size_t columns, BlockRows rows = {}) {
  const auto bytes = pack_block(numbers, columns, rows);
  EXPECT_EQ(unpack(bytes, columns, numbers.size(), rows), numbers);
  return unpack_frame(bytes, read_frame_size(bytes))[0];
}

template <class Value>
Numbers make_table(std::size_t rows, std::size_t columns, Value value) {
  Numbers numbers;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      numbers.push_back(value(row, column));
  return numbers;
}

TEST(NumberBlocks, CoverEachNumberOnce) {
  for (const auto& [rows, columns] : {std::pair{1u, 1u},
                                      {1u, 100'000u},
                                      {200'000u, 1u},
                                      {64u, 149u},
                                      {70u, 4'097u},
                                      {500u, 1'000u}}) {
    const BlockGrid grid(rows, columns);
    std::vector<int> covered(std::size_t{rows} * columns);
    for (std::uint64_t k = 0; k < grid.count(); ++k) {
      const auto block = grid.find(k);
      EXPECT_LE(block.rows * block.columns, most_block_numbers);
      for (auto row = block.first_row; row < block.first_row + block.rows; ++row)
        for (auto column = block.first_column; column < block.first_column + block.columns;
             ++column)
          ++covered.at(row * columns + column);
    }
    EXPECT_THAT(covered, ::testing::Each(1)) << rows << " x " << columns;
  }
}

TEST(NumberBlocks, OfNothingAreNone) {
  EXPECT_EQ(BlockGrid(0, 0).count(), 0u);
  EXPECT_EQ(BlockGrid(0, 5).count(), 0u);
  EXPECT_EQ(BlockGrid(5, 0).count(), 0u);
}

TEST(NumberBlocks, HoldNumbersOfEverySize) {
  std::mt19937_64 random(1);
  for (const std::size_t columns : {1, 7, 64})
    for (int bits = 0; bits < 64; bits += 7) {
      const auto numbers = make_table(20, columns, [&](auto...) { return random() >> bits; });
      count_bytes(numbers, columns);
    }
  const auto most = std::numeric_limits<std::uint64_t>::max();
  count_bytes({0, most, 0, most, most / 2, most / 2 + 1, 1, most - 1}, 4);
  count_bytes({most}, 1);
}

// Numbers of 29 bits and below take another way, to the same bytes.
TEST(NumberBlocks, HoldNumbersAtTheBorderOfTheFastWay) {
  for (const std::uint64_t border : {(1u << 29) - 1, 1u << 29})
    count_bytes({0, border, border, 0, border, 0, 0, border, border}, 3);
}

TEST(NumberBlocks, TakeThePredictionThatFits) {
  std::mt19937_64 random(1);
  const auto noise = [&random](std::uint64_t most) { return random() % most; };
  Numbers levels;
  for (int k = 0; k < 100; ++k)
    levels.push_back(random() % 100'000);

  const auto sparse = [&](auto...) { return noise(50) == 0 ? 1u + noise(3) : 0u; };
  EXPECT_EQ(find_predictor(make_table(100, 100, sparse), 100), 0);

  const auto by_column = [&](auto row, auto column) {
    return levels[column] + 50 * row + noise(4);
  };
  EXPECT_EQ(find_predictor(make_table(100, 100, by_column), 100), 1);

  const auto slope = [&](auto row, auto column) { return levels[row] + 50 * column + noise(4); };
  EXPECT_EQ(find_predictor(make_table(100, 100, slope), 100), 2);

  const auto sum = [&](auto row, auto column) { return levels[row] + levels[column]; };
  EXPECT_EQ(find_predictor(make_table(100, 100, sum), 100), 3);

  const auto noisy_rows = [&](auto row, auto) { return levels[row] + noise(40); };
  EXPECT_EQ(find_predictor(make_table(100, 100, noisy_rows), 100), 6);

  const auto noisy_columns = [&](auto, auto column) { return levels[column] + noise(40); };
  EXPECT_EQ(find_predictor(make_table(100, 100, noisy_columns), 100), 7);
}

TEST(NumberBlocks, PredictRowsFromOthersOfTheirGroup) {
  std::mt19937_64 random(1);
  std::vector<std::uint32_t> numbers_of_groups;
  for (int row = 0; row < 130; ++row)
    numbers_of_groups.push_back(static_cast<std::uint32_t>(random() % 3) * 1'000'000'000);
  const RowGroups groups(numbers_of_groups);
  Numbers levels;
  for (int k = 0; k < 300; ++k)
    levels.push_back(random() % 100'000);

  const auto by_group = [&](auto row, auto column) {
    return levels[numbers_of_groups[30 + row] / 10'000'000 + column];
  };
  const auto with_row = [&](auto row, auto column) { return by_group(row, column) + 1'000 * row; };
  const BlockRows rows{.first = 30, .groups = &groups};
  EXPECT_EQ(find_predictor(make_table(100, 100, by_group), 100, rows), 4);
  EXPECT_EQ(find_predictor(make_table(100, 100, with_row), 100, rows), 5);
  const auto table = make_table(100, 100, by_group);
  EXPECT_LT(2 * count_bytes(table, 100, rows), count_bytes(table, 100));
}

TEST(RowGroups, KnowTheRowBeforeOfTheSameGroup) {
  const RowGroups groups(std::vector<std::uint32_t>{5, 9, 5, 9, 9, 5});
  EXPECT_EQ(groups.find_above(1, 0), 0u);
  EXPECT_EQ(groups.find_above(2, 0), 0u);
  EXPECT_EQ(groups.find_above(3, 0), 1u);
  EXPECT_EQ(groups.find_above(5, 0), 2u);
  EXPECT_EQ(groups.find_above(5, 2), 2u);
  EXPECT_EQ(groups.find_above(5, 3), 4u);
  EXPECT_EQ(RowGroups().find_above(3, 0), 2u);
}

TEST(NumberBlocks, OfOneDifferenceTakeFewBytes) {
  EXPECT_LT(count_bytes(make_table(64, 1'000, [](auto, auto column) { return column; }), 1'000),
            200u);
  auto numbers = Numbers(65'536, 0);
  numbers[777] = 1'000'000;
  EXPECT_LT(count_bytes(numbers, 1'024), 60u);
}

TEST(NumberBlocks, AreRefusedWhereTheyAreDamaged) {
  const auto refuses = [](const std::string& bytes, std::size_t columns, std::size_t count) {
    EXPECT_THROW(unpack(pack_frame(bytes, FrameContent::text), columns, count), Error);
  };
  const std::string nothing(1, '\0');
  EXPECT_EQ(unpack(pack_frame(nothing + "\x02\x01", FrameContent::text), 1, 2),
            (Numbers{1, ~std::uint64_t{0}}));
  refuses("", 1, 2);
  refuses(nothing + "\x02", 1, 2);          // a number is missing
  refuses(nothing + "\x02\x01\x05", 1, 2);  // there is one too many
  refuses(nothing + "\x02\xff", 1, 2);      // what does not fit in a byte is missing
  refuses(nothing + "\x02\xff\xff", 1, 2);  // it does not end
  refuses("\x08\x02\x01", 1, 2);            // there is no such prediction
  refuses("\x06\x02", 1, 2);                // levels of rows without numbers
  refuses(std::string(1'000, '\0'), 1, 2);  // more than such a block may have
  refuses(nothing + "\x02\xff" + std::string(10, '\xff') + '\x01', 1, 2);  // more than 64 bits

  Numbers numbers(2);
  EXPECT_THROW(unpack_block("no frame", 1, {}, numbers), Error);
}

}  // namespace tracefold::number_blocks_test
