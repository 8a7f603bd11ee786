#include "filters/groups/group_like.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/groups/like_section.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::group_like_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Function make_function(const std::string& name) {
  Function function;
  function.name = name;
  function.canonical = name;
  return function;
}

// Functions are numbered by name; each intent calls some of them, from the virtual root.
Plan make_plan(const std::vector<std::string>& functions,
               const std::vector<std::vector<FunctionIndex>>& intents,
               const std::vector<std::uint32_t>& intent_of_rank) {
  Plan plan;
  for (const auto& name : functions)
    plan.functions.push_back(make_function(name));
  for (const auto& called : intents) {
    PlanIntent intent;
    for (auto function : called)
      intent.set.pairs.push_back({virtual_root, function});
    plan.intents.push_back(std::move(intent));
  }
  for (std::size_t r = 0; r < intent_of_rank.size(); ++r) {
    Process process;
    process.id = process.location_group = r;
    process.rank = r;
    process.is_mpi_endpoint = true;
    process.intent = intent_of_rank[r];
    plan.processes.push_back(process);
  }
  return plan;
}

// "a" to "d"; rank 0 calls another function than the others do.
LikeRun make_run(std::size_t ranks) {
  std::vector<std::uint32_t> intents(ranks, 1);
  intents[0] = 0;
  LikeRun run;
  run.name = "small";
  run.plan = make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, intents);
  run.processes = ranks;
  group(run.plan, 1);
  select(run.plan, {.choice = Choice::first});
  return run;
}

Plan take(Plan plan, const LikeRun& run) {
  group(plan, 1);
  const auto groups = group_like(plan, run);
  select(plan, {.choice = Choice::first});
  select_like(plan, run, groups);
  return plan;
}

std::vector<std::vector<std::size_t>> list_members(const Plan& plan) {
  std::vector<std::vector<std::size_t>> members;
  for (const auto& group : *plan.groups)
    members.push_back(group.members);
  return members;
}

std::vector<std::size_t> list_chosen(const Plan& plan) {
  std::vector<std::size_t> chosen;
  for (const auto& one : *plan.representatives)
    chosen.push_back(one.process);
  return chosen;
}

TEST(GroupLike, TakesGroupsAndRepresentativesByRank) {
  auto run = make_run(4);
  auto& rest = run.plan.representatives->at(1);
  rest.process = 2;
  const auto plan = take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, {0, 1, 1, 1}), run);
  EXPECT_TRUE(plan.like->is_by_place);
  EXPECT_THAT(list_members(plan), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3)));
  EXPECT_THAT(list_chosen(plan), ElementsAre(0, 2));
  EXPECT_THAT(plan.representatives->at(1).members, ElementsAre(1, 2, 3));
  EXPECT_THAT(plan.like->misfits, IsEmpty());
}

TEST(GroupLike, KeepsSeveralRepresentativesOfAGroupWithTheirMembers) {
  auto run = make_run(4);
  run.plan.representatives = {{0, 0, {0}, ""}, {1, 1, {1, 3}, ""}, {1, 2, {2}, ""}};
  const auto plan = take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, {0, 1, 1, 1}), run);
  EXPECT_THAT(list_chosen(plan), ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.representatives->at(1).members, ElementsAre(1, 3));
}

// Rank 3 does now what rank 0 did, and stays where it was.
TEST(GroupLike, SaysWhichGroupsCallOtherwiseHere) {
  const auto plan =
      take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, {0, 1, 1, 0}), make_run(4));
  EXPECT_THAT(list_members(plan), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3)));
  EXPECT_THAT(plan.groups->at(1).merged, ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
  EXPECT_THAT(plan.like->misfits, ElementsAre(HasSubstr("group 1 there")));
}

TEST(GroupLike, MatchesGroupsByCallsWhereThereAreOtherRanks) {
  const auto plan =
      take(make_plan({"d", "b_", "a", "c"}, {{2, 0}, {2, 1, 3}}, {1, 0, 0, 0, 0, 0}), make_run(4));
  EXPECT_FALSE(plan.like->is_by_place);
  EXPECT_THAT(list_members(plan), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4, 5)));
  EXPECT_THAT(list_chosen(plan), ElementsAre(0, 1));
  EXPECT_THAT(plan.like->misfits, IsEmpty());
}

TEST(GroupLike, LeavesWhatHasNoCounterpartAsItsOwnGroup) {
  const auto plan = take(
      make_plan({"a", "b", "c", "d", "x", "y"}, {{0, 3}, {4, 5}}, {0, 0, 0, 0, 1}), make_run(4));
  EXPECT_THAT(list_members(plan), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4)));
  EXPECT_THAT(plan.like->misfits, ElementsAre(HasSubstr("no process is like group 0 there"),
                                              "rank 4 is like no group there"));
}

TEST(GroupLike, DoesNotPutAProcessWithoutCallsToOthers) {
  const auto plan =
      take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}, {}}, {0, 1, 2, 1}), make_run(4));
  EXPECT_THAT(list_members(plan), ElementsAre(ElementsAre(0), ElementsAre(1, 3), ElementsAre(2)));
}

TEST(GroupLike, SaysWhereTheRepresentativeIsInAnotherGroup) {
  auto run = make_run(4);
  run.plan.representatives->at(1).process = 3;
  const auto plan =
      take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, {1, 1, 1, 0, 1}), run);
  EXPECT_THAT(list_chosen(plan), ElementsAre(3, 0));
  EXPECT_THAT(plan.like->misfits, ElementsAre("rank 0 stands for group 0 there, and rank 3 here",
                                              "rank 3 stands for group 1 there, and rank 0 here"));
}

TEST(GroupLike, IsForgottenWhereGroupsAreMadeAnew) {
  auto plan = take(make_plan({"a", "b", "c", "d"}, {{0, 1, 2}, {0, 3}}, {0, 1}), make_run(2));
  group(plan, 1);
  EXPECT_EQ(plan.like, nullptr);
}

}  // namespace tracefold::group_like_test
