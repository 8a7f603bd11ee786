#include "pipeline/reduce/better_selection.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "model/program/program_profiles.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tracefold::better_selection_test {

// One group of processes that are in each function for so many ticks, of which one is kept.
Plan make_plan(const std::vector<std::vector<std::uint64_t>>& ticks) {
  const auto functions = ticks.front().size();
  auto program = std::make_shared<ProgramProfiles>();
  auto& calls = program->calls;
  calls.profiles.columns = {{Metric::execution_time, Metric::visits}, {}};
  calls.profiles.shapes.resize(1);
  Plan plan;
  plan.functions.resize(functions);
  plan.intents.resize(1);
  for (FunctionIndex f = 0; f < functions; ++f) {
    calls.functions.push_back({fmt::format("solve {}", f), "", "", 0});
    calls.time_metrics.push_back(Metric::execution_time);
    calls.profiles.paths.push_back({no_path, f});
    calls.profiles.shapes[0].paths.push_back(f);
    calls.profiles.shapes[0].callers.push_back(no_path);
    plan.intents[0].functions.push_back(f);
  }

  Group group;
  group.intents = {0};
  for (const auto& times : ticks) {
    calls.profiles.processes.push_back({0, {}});
    auto& rows = program->values.emplace_back();
    for (const auto time : times)
      rows.add(std::vector<std::uint64_t>{time, 1});
    rows.finish();
    group.members.push_back(plan.processes.size());
    auto& process = plan.processes.emplace_back();
    process.id = plan.processes.size();
    process.location_group = process.id;
    process.exclusive = times;
  }
  plan.groups = {group};
  select(plan, {});
  plan.program = std::move(program);
  return plan;
}

TEST(BetterSelection, TakesAsManyAsThereAreKinds) {
  std::vector<std::vector<std::uint64_t>> ticks;
  for (std::uint64_t k = 0; k < 6; ++k) {
    ticks.push_back({100 + k % 2});
    ticks.push_back({500 + k % 2});
  }
  const auto found = find_better_selection(make_plan(ticks));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kept, 2u);
  EXPECT_LT(found->error.all, 0.01);
}

TEST(BetterSelection, TakesTheFewestThatMakeTheErrorGood) {
  std::vector<std::vector<std::uint64_t>> slope;
  for (std::uint64_t k = 0; k < 64; ++k)
    slope.push_back({100 + 10 * k});
  const auto found = find_better_selection(make_plan(slope));
  ASSERT_TRUE(found);
  EXPECT_EQ(grade_error(found->error.all), ErrorGrade::good);
  EXPECT_EQ(found->kept, 8u);
}

TEST(BetterSelection, GoesOnToLargeNumbers) {
  constexpr std::size_t kinds = 64;
  std::vector<std::vector<std::uint64_t>> ticks;
  for (std::uint64_t k = 0; k < 4 * kinds; ++k)
    ticks.push_back({1000 * (k % 4), 1000 * (k / 4 % 4), 1000 * (k / 16 % 4)});
  const auto found = find_better_selection(make_plan(ticks));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kept, kinds);
  EXPECT_EQ(grade_error(found->error.all), ErrorGrade::good);
}

TEST(BetterSelection, DoesNotKeepNearlyAll) {
  EXPECT_FALSE(find_better_selection(make_plan({{100}, {10'000}}))) << "two are all";
  EXPECT_FALSE(find_better_selection(make_plan({{100}})));
}

}  // namespace tracefold::better_selection_test
