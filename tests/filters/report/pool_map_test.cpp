#include "filters/report/pool_map.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tracefold::pool_map_test {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class Value>
IterationMap make_map(std::size_t rows, std::size_t columns, Value&& value) {
  IterationMap map;
  map.iterations = columns;
  map.processes.resize(rows);
  std::iota(map.processes.begin(), map.processes.end(), std::size_t{0});
  make_cells(map);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      map.values[r * columns + c] = value(r, c);

  return map;
}

// Rows in the order of ranks, all of one group.
RowOwners one_group(std::size_t rows) {
  RowOwners owners;
  owners.process.resize(rows);
  std::iota(owners.process.begin(), owners.process.end(), 0u);
  owners.group.assign(rows, 0);

  return owners;
}

std::uint8_t level(const PooledRows& rows, const MapLevels& cells, std::size_t columns,
                   std::size_t row, std::size_t column) {
  EXPECT_LT(row, rows.rows());
  return cells.cells.at(row * columns + column);
}

TEST(PoolMap, SmallMapsKeepTheirValues) {
  const auto map = make_map(2, 3, [](auto r, auto c) {
    return r == 1 && c == 2 ? none : r == 0 && c == 0 ? 946.123 : 12.8;
  });
  const auto small = pool_map(map, one_group(2), 1);
  const auto& values = small.by_rank.largest.values;
  ASSERT_EQ(values.size(), 6u);
  EXPECT_NEAR(values[0], 946.123, 0.001 * 946.123);
  EXPECT_NEAR(values[1], 12.8, 0.001 * 12.8);
  EXPECT_TRUE(std::isnan(values[5]));
  EXPECT_EQ(small.by_group.largest.values.size(), 6u);

  const auto large = pool_map(map, one_group(2), 1, {1000, 1000, 5});
  EXPECT_TRUE(large.by_rank.largest.values.empty());
  EXPECT_EQ(large.by_rank.largest.cells, small.by_rank.largest.cells);
}

TEST(PoolMap, KeepsEachValueWhereThereIsRoom) {
  const auto map =
      make_map(2, 3, [](auto r, auto c) { return static_cast<double>(10 * r + 10 * c); });
  const auto pooled = pool_map(map, one_group(2), 0.5);
  EXPECT_EQ(pooled.columns, 3u);
  EXPECT_EQ(pooled.per_column, 1u);
  EXPECT_TRUE(pooled.by_rank.average.cells.empty());
  EXPECT_THAT(pooled.by_rank.order, ElementsAre(0, 1));
  EXPECT_THAT(pooled.by_rank.first_of_row, ElementsAre(0, 1));
  EXPECT_EQ(pooled.by_rank.largest.low, 0);
  EXPECT_EQ(pooled.by_rank.largest.high, 15);
  EXPECT_THAT(pooled.by_rank.largest.cells, ElementsAre(0, 21, 42, 21, 42, 63));
  EXPECT_THAT(pooled.minimum, ElementsAre(0, 5, 10));
  EXPECT_THAT(pooled.mean, ElementsAre(2.5, 7.5, 12.5));
  EXPECT_THAT(pooled.maximum, ElementsAre(5, 10, 15));
}

TEST(PoolMap, ShowsOneSlowProcessAmongThousandsAndEachFiftiethIteration) {
  constexpr std::size_t rows = 4099, columns = 2500, slow = 2741;
  const auto map = make_map(rows, columns, [](auto r, auto c) {
    const double noise = static_cast<double>((r * 31 + c * 17) % 7) / 100;
    return 1 + noise + (r == slow ? 1 : 0) + (c % 50 == 0 ? 0.5 : 0);
  });
  const auto pooled = pool_map(map, one_group(rows), 1);
  ASSERT_EQ(pooled.per_column, 3u);
  ASSERT_EQ(pooled.per_row, 5u);
  EXPECT_EQ(pooled.columns, 834u);
  EXPECT_EQ(pooled.by_rank.rows(), 820u);
  EXPECT_LE(pooled.by_group.rows(), 1000u);

  const auto& largest = pooled.by_rank.largest;
  for (std::size_t row = 0; row < pooled.by_rank.rows(); ++row)
    for (std::size_t c = 0; c < pooled.columns; ++c) {
      const bool has_fiftieth = std::min(3 * c + 2, columns - 1) / 50 * 50 >= 3 * c;
      const bool is_slow = row == slow / 5;
      const auto found = level(pooled.by_rank, largest, pooled.columns, row, c);
      if (is_slow)
        ASSERT_GE(found, 35) << row << " " << c;
      else if (has_fiftieth)
        ASSERT_THAT(found, ::testing::AllOf(::testing::Ge(15), ::testing::Lt(30)))
            << row << " " << c;
      else
        ASSERT_LT(found, 5) << row << " " << c;
    }
}

TEST(PoolMap, HasTheMeanOfAllValuesOfACell) {
  // The last row and the last column are of fewer.
  const auto map = make_map(3, 3, [](auto r, auto c) {
    return std::vector<double>{0, 2, 9, 4, none, 1, 8, none, none}[3 * r + c];
  });
  const auto pooled = pool_map(map, one_group(3), 1, {2, 2});
  EXPECT_EQ(pooled.per_column, 2u);
  EXPECT_THAT(pooled.by_rank.first_of_row, ElementsAre(0, 2));
  EXPECT_EQ(pooled.by_rank.average.low, 2);
  EXPECT_EQ(pooled.by_rank.average.high, 8);
  EXPECT_THAT(pooled.by_rank.average.cells, ElementsAre(0, 32, 63, 255)) << "2, 5, 8 and nothing";
  EXPECT_EQ(pooled.by_rank.largest.low, 4);
  EXPECT_EQ(pooled.by_rank.largest.high, 9);
  EXPECT_THAT(pooled.by_rank.largest.cells, ElementsAre(0, 63, 50, 255)) << "4, 9, 8 and nothing";
  EXPECT_THAT(pooled.minimum, ElementsAre(0, 1));
  EXPECT_THAT(pooled.mean, ElementsAre(3.5, 5));
  EXPECT_THAT(pooled.maximum, ElementsAre(8, 9));
}

TEST(PoolMap, PutsNoTwoGroupsIntoARow) {
  // Group 2 has one process, between many others; ranks are not in the order of rows.
  constexpr std::size_t rows = 5000;
  RowOwners owners;
  for (std::size_t r = 0; r < rows; ++r) {
    owners.process.push_back(static_cast<std::uint32_t>(rows - 1 - r));
    owners.group.push_back(r == 77 ? 2 : static_cast<std::uint32_t>(r % 2));
  }
  const auto map =
      make_map(rows, 4, [&](auto r, auto) { return static_cast<double>(owners.group[r]); });
  const auto pooled = pool_map(map, owners, 1);
  const auto& cells = pooled.by_group;
  EXPECT_FALSE(cells.groups_share_rows);
  EXPECT_LE(cells.rows(), 1000u);
  EXPECT_GT(cells.rows(), 800u) << "the room is used";
  EXPECT_EQ(cells.order.back(), rows - 1 - 77);
  EXPECT_EQ(cells.first_of_row.back(), rows - 1);
  EXPECT_EQ(cells.largest.cells, cells.average.cells) << "no cell is of two groups";
  EXPECT_THAT(std::vector(cells.largest.cells.end() - 4, cells.largest.cells.end()), Each(63));

  // In each group in order of rank, and each process once.
  EXPECT_TRUE(std::is_sorted(cells.order.begin(), cells.order.begin() + 2500));
  auto sorted = cells.order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, pooled.by_rank.order);
}

TEST(PoolMap, PutsGroupsTogetherWhereTheyAreMoreThanRows) {
  auto owners = one_group(10);
  for (std::uint32_t r = 0; r < 10; ++r)
    owners.group[r] = 9 - r;
  const auto map = make_map(10, 1, [](auto r, auto) { return static_cast<double>(r); });
  const auto pooled = pool_map(map, owners, 1, {4, 4});
  EXPECT_TRUE(pooled.by_group.groups_share_rows);
  EXPECT_THAT(pooled.by_group.first_of_row, ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(pooled.by_group.order, ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  EXPECT_THAT(pooled.by_group.largest.cells, ElementsAre(63, 42, 21, 0));

  const auto each = pool_map(map, owners, 1, {10, 4});
  EXPECT_FALSE(each.by_group.groups_share_rows);
  EXPECT_EQ(each.by_group.rows(), 10u);
}

TEST(PoolMap, HasOneScaleForBothOrders) {
  auto owners = one_group(4);
  owners.group = {0, 1, 0, 1};
  const auto map = make_map(4, 1, [](auto r, auto) { return static_cast<double>(r % 2); });
  const auto pooled = pool_map(map, owners, 1, {2, 1});
  EXPECT_EQ(pooled.by_rank.average.low, pooled.by_group.average.low);
  EXPECT_EQ(pooled.by_rank.average.high, pooled.by_group.average.high);
  EXPECT_THAT(pooled.by_rank.average.cells, ElementsAre(32, 32));
  EXPECT_THAT(pooled.by_group.average.cells, ElementsAre(0, 63));
}

TEST(PoolMap, TakesExactSumsForTheMean) {
  auto map = make_map(2, 3, [](auto, auto) { return 1.0; });
  map.exact_sums = MapSums{{}, {2.5, 3, 4}};
  EXPECT_THAT(pool_map(map, one_group(2), 2).mean, ElementsAre(2.5, 3, 4));
  EXPECT_THAT(pool_map(map, one_group(2), 2, {2, 2}).mean, ElementsAre(2.75, 4));
}

TEST(PoolMap, SaysHowManyIterationsAreAveraged) {
  IterationMap map;
  map.iterations = 10;
  map.processes = {0};
  make_cells(map, 5);
  const auto pooled = pool_map(map, one_group(1), 1, {10, 3});
  EXPECT_EQ(pooled.averaged, 2u);
  EXPECT_EQ(pooled.per_column, 4u);
  EXPECT_EQ(pooled.columns, 3u);
  EXPECT_TRUE(std::isnan(pooled.mean[0]));
}

TEST(PoolMap, BearsAnyValuesAndEmptyMaps) {
  const double huge = std::numeric_limits<double>::max();
  const double infinite = std::numeric_limits<double>::infinity();
  const auto map = make_map(1, 4, [&](auto, auto c) {
    return std::vector<double>{-huge, huge, infinite, none}[c];
  });
  const auto pooled = pool_map(map, one_group(1), 3);
  EXPECT_THAT(pooled.by_rank.largest.cells, ElementsAre(0, 63, 255, 255));
  EXPECT_TRUE(std::isfinite(pooled.maximum[1]));
  EXPECT_TRUE(std::isfinite(pooled.by_rank.largest.high));

  const auto equal = pool_map(make_map(2, 2, [](auto, auto) { return 7.0; }), one_group(2), 1);
  EXPECT_THAT(equal.by_rank.largest.cells, Each(0));
  EXPECT_EQ(equal.by_rank.largest.high, 7);

  const auto empty = pool_map(IterationMap{}, {}, 1);
  EXPECT_EQ(empty.columns, 0u);
  EXPECT_EQ(empty.by_rank.rows(), 0u);
  EXPECT_EQ(empty.by_group.rows(), 0u);
}

}  // namespace tracefold::pool_map_test
