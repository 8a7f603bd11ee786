#include "filters/comparison/fit_growth.hpp"

#include "filters/comparison/compare_runs.hpp"
#include "tests/support/made_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace tracefold::fit_growth_test {

namespace {

const std::vector<double> sizes{2, 4, 8, 16, 32, 64};

// Each rank solves for so long, and sorts.
ComparedRun make_run(std::size_t ranks, double solve, double sort) {
  const auto ticks = [](double time) { return static_cast<std::uint64_t>(std::llround(time)); };
  std::vector<std::vector<testing::MadeCall>> calls(
      ranks,
      {{{"main"}, 1, 1}, {{"main", "solve"}, ticks(solve), 1}, {{"main", "sort"}, ticks(sort), 1}});
  auto run = testing::make_run(calls);
  run.run_time = 1 + solve + sort;
  return run;
}

RunTable tabulate(const std::vector<ComparedRun>& runs) {
  std::vector<const ComparedRun*> list;
  for (const auto& run : runs)
    list.push_back(&run);
  return tabulate_runs(list, Measure::time);
}

}  // namespace

TEST(FitGrowth, FindsTheTerm) {
  for (const auto& [power, log_power] :
       {std::pair{0.5, 0}, {1.0, 0}, {2.0, 0}, {0.0, 1}, {1.0, 1}, {1.5, 2}}) {
    const Growth truth{3, 0.25, power, log_power};
    std::vector<double> values;
    for (auto p : sizes)
      values.push_back(truth.at(p));
    const auto found = fit_growth(sizes, values);
    EXPECT_EQ(found.power, power);
    EXPECT_EQ(found.log_power, log_power);
    EXPECT_NEAR(found.constant, 3, 1e-6);
    EXPECT_NEAR(found.slope, 0.25, 1e-6);
    EXPECT_NEAR(found.error, 0, 1e-6);
  }
}

TEST(FitGrowth, FindsAConstantInNoise) {
  const auto found = fit_growth(sizes, {10.1, 9.9, 10.1, 9.9, 10.1, 9.9});
  EXPECT_TRUE(found.is_constant());
  EXPECT_NEAR(found.at(128), 10, 0.3);
  EXPECT_TRUE(fit_growth(sizes, {7, 7, 7, 7, 7, 7}).is_constant());
}

TEST(FindGrowth, PutsFirstWhatGrowsWorst) {
  std::vector<ComparedRun> runs;
  for (auto p : {2, 4, 8, 16, 32})
    runs.push_back(make_run(static_cast<std::size_t>(p), 1e6, 1000.0 * p * p));
  const auto table = tabulate(runs);
  ASSERT_TRUE(table.growth);
  EXPECT_EQ(table.scaling, Scaling::weak);
  EXPECT_EQ(table.growth->calls[0].path, "the run");
  EXPECT_EQ(table.growth->calls[1].path, "main > sort");
  EXPECT_EQ(table.growth->calls[1].growth.power, 2);
  EXPECT_NEAR(table.growth->calls[1].more, 1000.0 * (64 * 64 - 32 * 32), 1);
}

// Under strong scaling p · t is fitted: what is shared evenly is constant, what is not grows by p.
TEST(FindGrowth, FitsAllRanksTogetherUnderStrongScaling) {
  std::vector<ComparedRun> runs;
  for (auto p : {1, 2, 4, 8, 16})
    runs.push_back(make_run(static_cast<std::size_t>(p), 64e6 / p, 1e6));
  const auto table = tabulate(runs);
  ASSERT_TRUE(table.growth);
  EXPECT_EQ(table.scaling, Scaling::strong);
  EXPECT_EQ(table.growth->calls[1].path, "main > sort");
  EXPECT_EQ(table.growth->calls[1].growth.power, 1);
  EXPECT_TRUE(table.growth->calls.back().growth.is_constant());
}

TEST(FindGrowth, NeedsFiveSizes) {
  std::vector<ComparedRun> runs;
  for (auto p : {2, 4, 8, 8, 16})
    runs.push_back(make_run(static_cast<std::size_t>(p), 1e6, 1000.0 * p));
  EXPECT_FALSE(tabulate(runs).growth);
}

}  // namespace tracefold::fit_growth_test
