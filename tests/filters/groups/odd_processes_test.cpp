#include "filters/groups/odd_processes.hpp"

#include "filters/groups/select.hpp"
#include "model/plan.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <random>
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
  const auto found = find_odd_processes(plan);
  for (const auto& [process, why] : found.alone)
    out.push_back(std::to_string(process) + " " + why);
  for (const auto& odd : found.classes)
    out.push_back(fmt::format("{} {}", fmt::join(odd.members, ","), odd.why));
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
    ticks[k] = {200 + 100 * k};
  const auto found = find_odd_processes(make_plan(ticks)).alone;
  ASSERT_THAT(found, SizeIs(8));
  EXPECT_EQ(found.front().process, 2u);
}

TEST(OddProcesses, AreAClassWhereSeveralTakeAsLong) {
  EXPECT_THAT(find(make_plan({{100}, {200}, {101}, {199}, {99}, {201}, {100}, {100}})),
              ElementsAre("1,3,5 odd: one of 3 that take 2 times the others in solve"));
  // Those that compute more where there are as many, and one that is odd among these.
  std::vector<std::vector<std::uint64_t>> ticks(16, {10, 20});
  for (std::size_t k = 0; k < 8; ++k)
    ticks[2 * k] = {10 + k % 3, 300};
  ticks[4] = {10, 600};
  EXPECT_THAT(
      find(make_plan(ticks)),
      ElementsAre("4 odd: 2 times the median in write",
                  "0,2,4,6,8,10,12,14 odd: one of 8 that take 17 times the others in write"));
}

TEST(OddProcesses, AreNoClassInNoiseNorWhereTheDifferenceIsSmall) {
  std::mt19937 random(7);
  std::size_t named = 0;
  for (std::size_t k = 0; k < 400; ++k) {
    std::vector<std::vector<std::uint64_t>> ticks(4 + k % 29);
    for (auto& one : ticks)
      one = {100 + random() % 100};
    named += !find_odd_processes(make_plan(ticks)).classes.empty();
  }
  EXPECT_LE(named, 8u);
  EXPECT_THAT(find(make_plan({{100}, {105}, {100}, {105}, {100}, {105}})), IsEmpty());
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

TEST(OddProcesses, OfAClassShareARow) {
  auto plan = make_plan({{100}, {200}, {101}, {199}, {99}, {201}, {100}, {100}});
  select(plan, {});
  ASSERT_THAT(*plan.representatives, SizeIs(2));
  EXPECT_THAT(plan.representatives->at(0).members, ElementsAre(0, 2, 4, 6, 7));
  EXPECT_EQ(plan.representatives->at(1).process, 1u);
  EXPECT_THAT(plan.representatives->at(1).members, ElementsAre(1, 3, 5));
  EXPECT_EQ(plan.representatives->at(1).why, "odd: one of 3 that take 2 times the others in solve");
}

}  // namespace tracefold::odd_processes_test
