#include "filters/groups/odd_processes.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <string>

namespace tracefold::odd_processes_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// One group whose processes are in `solve`, `write` and MPI_Barrier for so many ticks, of a run of
// 1,000.
Plan make_plan(const std::vector<std::vector<std::uint64_t>>& ticks) {
  Plan plan;
  plan.trace.run = TimeSpan{0, 1000};
  for (const auto* name : {"solve", "write", "MPI_Barrier"})
    plan.functions.emplace_back().name = name;
  plan.functions[2].paradigm = otf2_value::paradigm_mpi;
  plan.intents.resize(1);
  plan.intents[0].functions = {0, 1, 2};
  Group group;
  for (const auto& exclusive : ticks) {
    group.members.push_back(plan.processes.size());
    auto& process = plan.processes.emplace_back();
    process.id = plan.processes.size() - 1;
    process.exclusive = exclusive;
    process.exclusive.resize(3);
  }
  group.intents = {0};
  plan.groups = {group};
  return plan;
}

std::vector<std::string> find(const Plan& plan) {
  std::vector<std::string> out;
  for (const auto& [process, why] : find_odd_processes(plan))
    out.push_back(std::to_string(process) + " " + why);
  return out;
}

TEST(OddProcesses, AreThoseThatComputeFarMoreWhateverTheTotal) {
  EXPECT_THAT(
      find(make_plan({{100, 20, 80}, {101, 20, 79}, {300, 20, 0}, {99, 20, 81}, {100, 20, 80}})),
      ElementsAre("2 odd: 3 times the median in solve"));
}

TEST(OddProcesses, AreThoseThatDifferInOneFunctionOnly) {
  EXPECT_THAT(find(make_plan({{100, 20}, {100, 21}, {50, 70}, {101, 20}, {100, 20}})),
              ElementsAre("2 odd: 0.5 times the median in solve"));
}

TEST(OddProcesses, AreNoneInNoiseNorByWaitingNorInSmallGroups) {
  EXPECT_THAT(find(make_plan({{100, 20}, {120, 25}, {90, 22}, {110, 18}, {130, 24}, {85, 21}})),
              IsEmpty());
  EXPECT_THAT(find(make_plan({{100, 20, 5}, {100, 20, 5}, {100, 20, 500}, {100, 20, 5}})),
              IsEmpty());
  EXPECT_THAT(find(make_plan({{100}, {100}, {400}})), IsEmpty());
  auto filtered = make_plan({{100}, {100}, {300}, {100}});
  filtered.filters.push_back({{"MPI_*"}, {}, {}});
  EXPECT_THAT(find(filtered), IsEmpty());
  // Of equal ones, one that differs by less than 1 % of the run.
  EXPECT_THAT(find(make_plan({{100}, {100}, {109}, {100}})), IsEmpty());
}

TEST(OddProcesses, AreAtMostEightTheFarthestFirst) {
  std::vector<std::vector<std::uint64_t>> ticks(40, {100});
  for (std::uint64_t k = 0; k < 10; ++k)
    ticks[k] = {200 + k};
  const auto found = find_odd_processes(make_plan(ticks));
  ASSERT_THAT(found, SizeIs(8));
  EXPECT_EQ(found.front().process, 2u);
}

TEST(OddProcesses, HaveARowOfTheirOwnUnlessNoneIsAskedFor) {
  auto plan = make_plan({{100}, {100}, {300}, {100}, {100}});
  select(plan, {});
  ASSERT_THAT(*plan.representatives, SizeIs(2));
  EXPECT_THAT(plan.representatives->at(1).members, ElementsAre(2));
  EXPECT_EQ(plan.representatives->at(1).why, "odd: 3 times the median in solve");
  EXPECT_THAT(plan.representatives->at(0).members, ElementsAre(0, 1, 3, 4));
  select(plan, {.keep_odd = false});
  EXPECT_THAT(*plan.representatives, SizeIs(1));
}

}  // namespace tracefold::odd_processes_test
