#include "filters/correlation/call_structure.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace tracefold::call_structure_test {

using ::testing::ElementsAre;

// Processes whose call pairs have virtual callers: each calls the functions that it lists.
Plan make_plan(const std::vector<std::vector<FunctionIndex>>& calls) {
  Plan plan;
  for (const auto& functions : calls) {
    PlanIntent intent;
    for (auto function : functions)
      intent.set.pairs.push_back({virtual_root, function});
    plan.intents.push_back(intent);
    auto& process = plan.processes.emplace_back();
    process.id = plan.processes.size() - 1;
    process.rank = process.id;
    process.intent = static_cast<std::uint32_t>(plan.intents.size() - 1);
  }
  return plan;
}

std::vector<CallStructure> list(const Plan& plan) {
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  return list_call_structure(plan, members);
}

TEST(CallStructure, HasACallPairThatSomeProcessesMake) {
  const auto found = list(make_plan({{0, 1}, {0, 1}, {0}, {0}, {0}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pair, (CallPair{virtual_root, 1}));
  EXPECT_THAT(found[0].has, ElementsAre(true, true, false, false, false));
  EXPECT_EQ(found[0].ranks, 2u);
}

TEST(CallStructure, LeavesOutWhatAllOrOneOrAllButOneHave) {
  EXPECT_TRUE(list(make_plan({{0, 1}, {0}, {0}, {0}})).empty());
  EXPECT_TRUE(list(make_plan({{0, 1}, {0, 1}, {0, 1}, {0}})).empty());
  EXPECT_TRUE(list(make_plan({{0}, {0}, {0}, {0}})).empty());
}

TEST(CallStructure, CountsWhatSaysTheSameOnce) {
  // 1 and 2 are called by the same processes, 3 by all others.
  const auto found = list(make_plan({{0, 1, 2}, {0, 1, 2}, {0, 3}, {0, 3}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pair->callee, 1u);
  EXPECT_EQ(found[0].same, 1u);
}

// Whatever its threads call, a rank calls.
TEST(CallStructure, TakesThreadsAsTheirRank) {
  auto plan = make_plan({{0}, {1}, {0}, {1}, {0}, {1}, {0}, {1, 2}, {0, 2}, {1}});
  for (auto& process : plan.processes)
    process.rank = process.id / 2;
  const auto found = list(plan);
  ASSERT_EQ(found.size(), 1u) << "all ranks call 0 and 1, on different threads";
  EXPECT_EQ(found[0].pair->callee, 2u);
  EXPECT_EQ(found[0].ranks, 2u);
  EXPECT_THAT(found[0].has,
              ElementsAre(false, false, false, false, false, false, true, true, true, true));
}

// Two processes make both calls, which is less than who makes either.
TEST(CallStructure, HasNodesOfTheLatticeThatAreNoCallPair) {
  const auto found = list(make_plan({{0, 1}, {0, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1}, {0, 2}}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].pair->callee, 1u);
  EXPECT_EQ(found[1].pair->callee, 2u);
  EXPECT_FALSE(found[2].pair);
  EXPECT_EQ(found[2].process, 2u);
  EXPECT_THAT(found[2].has, ElementsAre(false, false, true, true, false, false));
}

}  // namespace tracefold::call_structure_test
