#include "filters/groups/fit_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>

namespace tracefold::fit_rows_test {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// Processes with these times in path 0, 1, …; each path is a call of its own.
FittedTimes make_times(const std::vector<std::vector<std::uint64_t>>& ticks) {
  FittedTimes times;
  std::size_t paths = 0;
  for (const auto& process : ticks) {
    auto& made = times.processes.emplace_back();
    for (std::uint32_t path = 0; path < process.size(); ++path)
      made.push_back({path, process[path]});
    paths = std::max(paths, process.size());
  }
  for (std::uint32_t path = 0; path < paths; ++path)
    times.calls.push_back(path);
  times.ends_early.resize(ticks.size());
  return times;
}

// "3: 0 1 3" for each row.
std::vector<std::string> write(const std::vector<FittedRow>& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) {
    auto& text = out.emplace_back(std::to_string(row.process) + ":");
    for (auto m : row.members)
      text += " " + std::to_string(m);
  }
  return out;
}

TEST(FitRows, TakesTheMedoidOfEachGroupWhereThereAreAsManyRowsAsGroups) {
  RowFitter fitter(make_times({{10}, {12}, {20}, {7, 1}}), {{{0, 1, 2}, 0}, {{3}, 0}});
  EXPECT_THAT(write(fitter.fit(2)), ElementsAre("1: 0 1 2", "3: 3"));
  EXPECT_EQ(fitter.groups(), 2u);
  EXPECT_EQ(fitter.most(), 4u);
}

TEST(FitRows, DividesWhereThatGainsMost) {
  RowFitter fitter(make_times({{10}, {10}, {11}, {30}, {50}, {50}}),
                   {{{0, 1, 2, 3}, 0}, {{4, 5}, 0}});
  EXPECT_THAT(write(fitter.fit(3)), ElementsAre("0: 0 1 2", "3: 3", "4: 4 5"));
  EXPECT_THAT(write(fitter.fit(4)), ElementsAre("0: 0 1", "2: 2", "3: 3", "4: 4 5"));
}

TEST(FitRows, DividesEqualProcessesNoFurther) {
  RowFitter fitter(make_times({{10}, {10}, {10}, {30}}), {{{0, 1, 2, 3}, 0}});
  EXPECT_THAT(write(fitter.fit(4)), ElementsAre("0: 0 1 2", "3: 3"));
}

TEST(FitRows, MergesWhatIsAlikeAndCountsCallsThatNoRowShows) {
  // The third group alone makes call 1, for 1 tick; the second one differs less, but its call 2
  // takes long.
  RowFitter fitter(make_times({{10}, {10, 0, 50}, {40, 1}}), {{{0}, 0}, {{1}, 0}, {{2}, 0}});
  EXPECT_EQ(fitter.least(), 1u);
  EXPECT_THAT(write(fitter.fit(2)), ElementsAre("0: 0 2", "1: 1"));
  const auto lost = fitter.find_lost({0});
  EXPECT_EQ(lost.calls, 2u);
  EXPECT_EQ(lost.ticks, 51u);
  EXPECT_EQ(fitter.find_lost({1, 2}).calls, 0u);
}

TEST(FitRows, NeverMergesKinds) {
  RowFitter fitter(make_times({{10}, {10}, {10}}), {{{0}, 0}, {{1}, 1}, {{2}, 1}});
  EXPECT_EQ(fitter.least(), 2u);
  EXPECT_THAT(write(fitter.fit(1)), ElementsAre("0: 0", "1: 1 2"));
}

TEST(FitRows, TakesNobodyWhoseRecordsEndEarlyForOthers) {
  auto times = make_times({{10}, {10}, {40}, {41}});
  times.ends_early = {true, true, false, false};
  RowFitter fitter(times, {{{0, 1, 2, 3}, 0}});
  EXPECT_THAT(write(fitter.fit(1)), ElementsAre("2: 0 1 2 3"));
}

Wide add_cost(const std::vector<std::vector<std::uint64_t>>& ticks,
              const std::vector<FittedRow>& rows) {
  Wide cost = 0;
  for (const auto& row : rows)
    for (auto m : row.members)
      for (std::size_t path = 0; path < ticks[m].size(); ++path)
        cost += ticks[m][path] < ticks[row.process][path]
                    ? ticks[row.process][path] - ticks[m][path]
                    : ticks[m][path] - ticks[row.process][path];
  return cost;
}

// The least cost of any choice of rows, where each process goes to the nearest.
Wide find_least_cost(const std::vector<std::vector<std::uint64_t>>& ticks, std::size_t rows) {
  Wide least = ~Wide{0};
  for (unsigned mask = 1; mask < 1U << ticks.size(); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) != rows)
      continue;
    Wide cost = 0;
    for (std::size_t m = 0; m < ticks.size(); ++m) {
      Wide nearest = ~Wide{0};
      for (std::size_t row = 0; row < ticks.size(); ++row)
        if (mask >> row & 1)
          nearest = std::min(nearest, add_cost(ticks, {{row, {m}, {}}}));
      cost += nearest;
    }
    least = std::min(least, cost);
  }
  return least;
}

TEST(FitRows, ComesNearTheBestChoiceWithMoreAndWithFewerRowsThanGroups) {
  std::mt19937 random(7);
  double divided = 0, merged = 0;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<std::uint64_t>> ticks;
    RowGroup all;
    std::vector<RowGroup> single;
    for (std::size_t p = 0; p < 9; ++p) {
      ticks.push_back({1 + random() % 100, 1 + random() % 100});
      all.members.push_back(p);
      single.push_back({{p}, 0});
    }
    const auto best = static_cast<double>(find_least_cost(ticks, 3));
    const auto from_one = RowFitter(make_times(ticks), {all}).fit(3);
    const auto from_all = RowFitter(make_times(ticks), single).fit(3);
    ASSERT_THAT(from_one, SizeIs(3));
    ASSERT_THAT(from_all, SizeIs(3));
    divided += static_cast<double>(add_cost(ticks, from_one)) / best / rounds;
    merged += static_cast<double>(add_cost(ticks, from_all)) / best / rounds;
  }
  EXPECT_LT(divided, 1.2);
  EXPECT_LT(merged, 1.2);
}

}  // namespace tracefold::fit_rows_test
