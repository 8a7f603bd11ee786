#include "pipeline/iterations/complete_map_loop.hpp"

#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/made_ranks.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::complete_map_loop_test {

constexpr std::size_t ranks = 4, iterations = 12;

testing::MadeTimes make_times(std::uint64_t seed) {
  testing::MadeTimes times(ranks, std::vector<std::uint64_t>(iterations));
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t i = 0; i < iterations; ++i)
      times[r][i] = 100'000 + (seed * 7919 + r * 131 + i * 37) % 1000;
  return times;
}

class CompleteMapLoop : public ::testing::Test {
 protected:
  void open(const testing::TraceContent& content, const std::string& region = "") {
    const auto folder = folder_.path() / ("trace of " + region);
    std::filesystem::create_directory(folder);
    write_archive(content, folder);
    archive_.emplace((folder / "traces.otf2").string(), diagnostics_);
    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    group(plan_, 1);
    asked_.region = region;
    trace_.emplace(*archive_, plan_, ReadOptions{}, diagnostics_);
    all_ = list_processes(plan_);
    loops_ = find_loops_pass(*trace_, all_, asked_);
  }
  // Of the first loop, without what was read before.
  std::vector<ProcessLoops> complete() {
    auto loops = loops_;
    complete_map_loop(*trace_, all_, 0, asked_, nullptr, loops);
    return loops;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
  AskedIterations asked_;
  std::optional<PlannedTrace> trace_;
  std::vector<std::size_t> all_;
  std::vector<ProcessLoops> loops_;
};

TEST_F(CompleteMapLoop, GivesItToAProcessThatMakesTheSameCalls) {
  for (const auto* region : {"", "step"}) {
    open(testing::make_ranks(make_times(1), make_times(2)), region);
    const auto right = loops_;
    ASSERT_EQ(right[2].loops.size(), 1u) << region;

    // It may have been taken for another loop.
    auto& other = loops_[2].loops.front();
    other.iterations.resize(5);
    other.orders.clear();
    other.function = 77;
    const auto loops = complete();
    ASSERT_EQ(loops[2].loops.size(), 1u) << region;
    EXPECT_EQ(loops[2].loops[0].iterations, right[2].loops[0].iterations) << region;
    EXPECT_EQ(loops[2].loops[0].orders, right[2].loops[0].orders) << region;
    EXPECT_EQ(loops[2].loops[0].end_order, right[2].loops[0].end_order) << region;
    EXPECT_EQ(loops[2].loops[0].ticks, right[2].loops[0].ticks) << region;
    EXPECT_EQ(find_same_loops(all_, loops, 0)[2], 0u) << region;
    EXPECT_EQ(loops[1].loops[0].iterations, right[1].loops[0].iterations) << region;
  }
}

TEST_F(CompleteMapLoop, LeavesAProcessThatDoesSomethingElse) {
  auto content = testing::make_ranks(make_times(1), make_times(2));
  // The last rank has one call of `step` alone.
  auto& events = content.events[ranks - 1];
  events.clear();
  testing::record(events, EventKind::Enter, 1000, {testing::made_main});
  testing::record(events, EventKind::Enter, 1001, {testing::made_step});
  testing::record(events, EventKind::Leave, 9000, {testing::made_step});
  testing::record(events, EventKind::Leave, 9001, {testing::made_main});
  open(content);
  ASSERT_TRUE(loops_[ranks - 1].loops.empty());
  const auto loops = complete();
  EXPECT_TRUE(loops[ranks - 1].loops.empty());
  EXPECT_FALSE(find_same_loops(all_, loops, 0)[ranks - 1]);
}

}  // namespace tracefold::complete_map_loop_test
