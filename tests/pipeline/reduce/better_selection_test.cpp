#include "pipeline/reduce/better_selection.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "model/program/program_profiles.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tracefold::better_selection_test {

// One group of processes that call one function for so many ticks, of which one is kept.
Plan make_plan(const std::vector<std::uint64_t>& ticks) {
  auto program = std::make_shared<ProgramProfiles>();
  auto& calls = program->calls;
  calls.functions = {{"solve", "", "", 0}};
  calls.time_metrics = {Metric::execution_time};
  calls.profiles.paths = {{no_path, 0}};
  calls.profiles.columns = {{Metric::execution_time, Metric::visits}, {}};
  calls.profiles.shapes = {{{0}, {no_path}}};

  Plan plan;
  plan.functions.resize(1);
  plan.intents.resize(1);
  plan.intents[0].functions = {0};
  Group group;
  group.intents = {0};
  for (const auto time : ticks) {
    calls.profiles.processes.push_back({0, {}});
    auto& rows = program->values.emplace_back();
    rows.add(std::vector<std::uint64_t>{time, 1});
    rows.finish();
    group.members.push_back(plan.processes.size());
    auto& process = plan.processes.emplace_back();
    process.id = plan.processes.size();
    process.location_group = process.id;
    process.exclusive = {time};
  }
  plan.groups = {group};
  select(plan, {});
  plan.program = std::move(program);
  return plan;
}

TEST(BetterSelection, TakesAsManyAsThereAreKinds) {
  const auto found = find_better_selection(
      make_plan({100, 101, 100, 101, 100, 101, 500, 501, 500, 501, 500, 501}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kept, 2u);
  EXPECT_LT(found->error.all, 0.01);
}

TEST(BetterSelection, TakesTheFewestThatMakeTheErrorGood) {
  std::vector<std::uint64_t> slope;
  for (std::uint64_t k = 0; k < 64; ++k)
    slope.push_back(100 + 10 * k);
  const auto found = find_better_selection(make_plan(slope));
  ASSERT_TRUE(found);
  EXPECT_EQ(grade_error(found->error.all), ErrorGrade::good);
  EXPECT_EQ(found->kept, 8u);
}

TEST(BetterSelection, DoesNotKeepNearlyAll) {
  EXPECT_FALSE(find_better_selection(make_plan({100, 10'000}))) << "two are all";
  EXPECT_FALSE(find_better_selection(make_plan({100})));
}

}  // namespace tracefold::better_selection_test
