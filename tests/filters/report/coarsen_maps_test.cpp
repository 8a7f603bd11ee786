#include "filters/report/coarsen_maps.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tracefold::coarsen_maps_test {

using ::testing::Each;
using ::testing::ElementsAre;

namespace {

// A process in each row, all in groups of two but for the first one, in a map of two columns.
Report make_report(std::size_t rows) {
  Report report;
  auto& map = report.loops.emplace_back().maps.emplace_back();
  map.columns = 2;
  for (auto* of : {&map.by_rank, &map.by_group}) {
    of->order.resize(rows);
    std::iota(of->order.begin(), of->order.end(), 0u);
    of->first_of_row = of->order;
    of->largest = {std::vector<std::uint8_t>(2 * rows, 10), 1, 2};
  }
  report.order = map.by_rank.order;
  for (std::uint32_t r = 0; r < rows; ++r)
    report.group_of.push_back((r + 1) / 2);
  return report;
}

TEST(CoarsenMaps, KeepsTheLargestValueAndTheMeanOfTwoRows) {
  auto report = make_report(101);
  auto& rows = report.loops[0].maps[0].by_rank;
  rows.largest.cells[2 * 77] = 60;
  rows.largest.cells[2 * 99] = no_map_level;
  rows.largest.cells[2 * 100 + 1] = no_map_level;
  ASSERT_TRUE(coarsen_maps(report));
  EXPECT_EQ(rows.rows(), 51u);
  EXPECT_EQ(rows.first_of_row.back(), 100u);
  EXPECT_EQ(rows.order.size(), 101u);
  EXPECT_EQ(rows.largest.cells.size(), 102u);
  EXPECT_EQ(rows.largest.cells[2 * 38], 60);
  EXPECT_EQ(rows.average.cells[2 * 38], 35);
  EXPECT_EQ(rows.average.cells[2 * 49], 10) << "of the other row alone";
  EXPECT_EQ(rows.average.cells.back(), no_map_level);
  EXPECT_EQ(rows.average.low, 1);
  EXPECT_EQ(rows.average.high, 2);
  EXPECT_EQ(report.loops[0].maps[0].per_row, 2u);
}

TEST(CoarsenMaps, WeighsRowsByTheirProcesses) {
  auto report = make_report(129);
  auto& rows = report.loops[0].maps[0].by_rank;
  ASSERT_TRUE(coarsen_maps(report));
  ASSERT_EQ(rows.rows(), 65u);
  std::fill(rows.average.cells.end() - 4, rows.average.cells.end() - 2, 40);  // of two processes
  report.loops[0].maps[0].by_rank.first_of_row.erase(
      report.loops[0].maps[0].by_rank.first_of_row.begin());  // an even number of rows
  report.loops[0].maps[0].by_rank.first_of_row.front() = 0;
  for (auto* levels : {&rows.largest, &rows.average})
    levels->cells.erase(levels->cells.begin(), levels->cells.begin() + 2);
  ASSERT_TRUE(coarsen_maps(report));
  EXPECT_EQ(rows.average.cells.back(), 30) << "40 of two and 10 of one";
}

TEST(CoarsenMaps, KeepsGroupsApartWhereThatLeavesFewRows) {
  auto report = make_report(101);
  auto& rows = report.loops[0].maps[0].by_group;
  ASSERT_TRUE(coarsen_maps(report));
  EXPECT_FALSE(rows.groups_share_rows);
  EXPECT_EQ(rows.rows(), 51u);
  EXPECT_THAT(std::vector(rows.first_of_row.begin(), rows.first_of_row.begin() + 4),
              ElementsAre(0, 1, 3, 5));

  // Now each row is a group.
  ASSERT_EQ(report.loops[0].maps[0].by_rank.rows(), 51u);
  EXPECT_FALSE(coarsen_maps(report)) << "there are few rows already";
  auto large = make_report(400);
  auto& of_large = large.loops[0].maps[0].by_group;
  ASSERT_TRUE(coarsen_maps(large));
  EXPECT_FALSE(of_large.groups_share_rows);
  ASSERT_TRUE(coarsen_maps(large));
  EXPECT_TRUE(of_large.groups_share_rows);
  EXPECT_EQ(of_large.rows(), 101u);
  EXPECT_THAT(of_large.largest.cells, Each(10));
}

TEST(CoarsenMaps, LeavesSmallMapsBesideLargeOnesAsTheyAre) {
  auto report = make_report(1000);
  report.loops.push_back(make_report(100).loops[0]);
  ASSERT_TRUE(coarsen_maps(report));
  EXPECT_EQ(report.loops[0].maps[0].by_rank.rows(), 500u);
  EXPECT_EQ(report.loops[1].maps[0].by_rank.rows(), 100u);
}

}  // namespace

}  // namespace tracefold::coarsen_maps_test
