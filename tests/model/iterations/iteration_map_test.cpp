#include "model/iterations/iteration_map.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tracefold::iteration_map_test {

using ::testing::ElementsAre;

// A map of rows, each of a process with as many iterations.
IterationMap map_of(const std::vector<std::vector<double>>& rows, std::size_t most = most_cells) {
  IterationMap map;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    map.processes.push_back(10 * r);
    map.iterations = std::max(map.iterations, rows[r].size());
  }

  make_cells(map, most);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    MapRow row(map, r);
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      row.add(i, rows[r][i]);
    row.finish();
  }

  return map;
}

TEST(IterationMap, TellsMinimumMedianAndMaximum) {
  const auto report = summarize_map(map_of({{1, 5}, {2, 4}, {9, 3}}), {});
  ASSERT_EQ(report.per_iteration.size(), 2u);
  EXPECT_EQ(report.per_iteration[0].minimum, 1);
  EXPECT_EQ(report.per_iteration[0].mean, 4);
  EXPECT_EQ(report.per_iteration[0].median, 2);
  EXPECT_EQ(report.per_iteration[0].maximum, 9);
  ASSERT_EQ(report.per_process.size(), 3u);
  EXPECT_EQ(report.per_process[2].minimum, 3);
  EXPECT_EQ(report.per_process[2].median, 3) << "the lower of two";
  EXPECT_EQ(report.per_process[2].maximum, 9);
  EXPECT_THAT(report.bins.values, ElementsAre(1, 5, 2, 4, 9, 3));
}

TEST(IterationMap, LeavesOutIterationsThatAProcessDoesNotHave) {
  const auto report = summarize_map(map_of({{1, 5, 7}, {2}}), {});
  EXPECT_EQ(report.per_iteration[0].values, 2u);
  EXPECT_EQ(report.per_iteration[1].values, 1u);
  EXPECT_EQ(report.per_iteration[1].minimum, 5);
  EXPECT_EQ(report.per_process[1].maximum, 2);
  EXPECT_TRUE(std::isnan(report.bins.values[4]));
}

TEST(IterationMap, SharesColumnsWhereCellsAreFew) {
  const auto map = map_of({{1, 3, 5, 7, 9}, {2, 2, 2, 2, 2}}, 6);
  EXPECT_EQ(map.per_column, 2u);
  EXPECT_THAT(map.values, ElementsAre(2, 6, 9, 2, 2, 2)) << "the last column is of one iteration";
}

TEST(IterationMap, PutsBlocksIntoBins) {
  const auto report = summarize_map(map_of({{1, 1, 4}, {3, 3, 6}, {10, 20, 30}}), {2, 2});
  EXPECT_EQ(report.bins.per_row, 2u);
  EXPECT_EQ(report.bins.per_column, 2u);
  EXPECT_THAT(report.bins.values, ElementsAre(2, 5, 15, 30));
  const auto rows = summarize_rows(report.map, 2);
  EXPECT_EQ(rows.together, 2u);
  ASSERT_EQ(rows.spreads.size(), 2u);
  EXPECT_EQ(rows.spreads[0].minimum, 1);
  EXPECT_EQ(rows.spreads[0].median, 3) << "of 1, 1, 3, 3, 10, 20";
  EXPECT_EQ(rows.spreads[0].maximum, 20) << "of single iterations, not of means";
  EXPECT_EQ(rows.spreads[1].maximum, 30) << "the last row is of one iteration";
}

}  // namespace tracefold::iteration_map_test
