#include "filters/groups/group.hpp"
#include "filters/groups/keep_largest.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "model/profile/profile.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::group_test {

using ::testing::ElementsAre;

Profile profile_of(const std::vector<FunctionIndex>& called, std::uint64_t type = 1) {
  Profile p;
  p.intent.type = type;
  for (auto f : called) {
    p.functions.push_back({f, 1, 10 + f});
    p.intent.pairs.push_back({0, f});
  }

  return p;
}

Profile metrics_of(std::vector<std::string> names) {
  Profile p;
  p.intent.type = 3;
  p.intent.metrics = std::move(names);
  return p;
}

Plan plan_with(const std::vector<Profile>& list) {
  Profiles profiles;

  for (const auto& p : list) {
    const auto at = std::find(profiles.intents.begin(), profiles.intents.end(), p.intent);
    profiles.processes.push_back({static_cast<std::uint32_t>(at - profiles.intents.begin()), {}});
    for (const auto& f : p.functions)
      profiles.processes.back().exclusive.push_back(f.exclusive);
    if (at == profiles.intents.end())
      profiles.intents.push_back(p.intent);
  }

  std::vector<Process> processes(list.size());
  for (std::size_t i = 0; i < processes.size(); ++i)
    processes[i].id = 10 * i;

  Plan plan;
  record_profiles(plan, std::vector<Function>(100), std::move(processes), std::move(profiles));

  return plan;
}

std::vector<std::vector<std::size_t>> members(Plan plan, double threshold) {
  group(plan, threshold);
  std::vector<std::vector<std::size_t>> found;
  for (const auto& g : *plan.groups)
    found.push_back(g.members);
  return found;
}

TEST(Group, PutsEqualIntentsTogether) {
  EXPECT_THAT(members(plan_with({profile_of({1, 2}), profile_of({1}), profile_of({1, 2})}), 1),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

TEST(Group, MergesDownToTheThreshold) {
  const auto plan =
      plan_with({profile_of({1, 2, 3, 4}), profile_of({1, 2, 3, 4, 5}), profile_of({9})});
  EXPECT_EQ(members(plan, 0.81).size(), 3u);
  EXPECT_THAT(members(plan, 0.8), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

TEST(Group, RemembersTheSetsThatWereMerged) {
  auto plan = plan_with({profile_of({1, 2, 3, 4}), profile_of({1, 2, 3, 4, 5}), profile_of({9}),
                         profile_of({1, 2, 3, 4})});
  group(plan, 0.8);
  EXPECT_THAT((*plan.groups)[0].merged, ElementsAre(ElementsAre(0, 3), ElementsAre(1)));
  EXPECT_THAT((*plan.groups)[1].merged, ElementsAre());
}

TEST(Group, NeverMergesTypes) {
  EXPECT_EQ(members(plan_with({profile_of({1}), profile_of({1}, 2)}), 0).size(), 2u);
}

TEST(Group, KeepsProcessesWithoutCallsApart) {
  const auto plan = plan_with(
      {metrics_of({"power"}), metrics_of({"cycles"}), metrics_of({"power"}), profile_of({1}, 3)});
  EXPECT_THAT(members(plan, 0), ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3)));
}

// Process i calls the functions that are the bits of i.
Plan all_different(std::size_t count) {
  std::vector<Profile> profiles;
  for (std::size_t i = 1; i <= count; ++i) {
    std::vector<FunctionIndex> called;
    for (FunctionIndex f = 0; f < 20; ++f)
      if (i >> f & 1)
        called.push_back(f);
    profiles.push_back(profile_of(called));
  }

  return plan_with(profiles);
}

TEST(Group, TakesAnyNumberOfProcessesThatDiffer) {
  auto plan = all_different(10'000);
  group(plan, 1);
  EXPECT_EQ(plan.groups->size(), 10'000u);
  EXPECT_THAT(plan.groups->front().similarity, ::testing::IsEmpty());
  EXPECT_THROW(group(plan, 0.83), Error);
  EXPECT_EQ(members(all_different(1'000), 1).size(), 1'000u);
}

TEST(RecordProfiles, ListsTheLargestFunctionsAndTheRest) {
  std::vector<FunctionIndex> called(40);
  for (FunctionIndex f = 0; f < 40; ++f)
    called[f] = f;

  const auto plan = plan_with({profile_of(called)});
  ASSERT_EQ(plan.intents[0].functions.size(), profile_functions);
  EXPECT_EQ(plan.intents[0].functions.front(), 39u);
  EXPECT_EQ(plan.processes[0].exclusive.front(), 49u);
  EXPECT_EQ(plan.processes[0].rest, 8u * 10 + 28);  // functions 0 to 7
}

// Two ranks of three, of which the first two call different functions, with a thread each.
TEST(Group, GroupsRanksByTheirCommunicationAndTheRestByPairs) {
  testing::CommunicationBuilder ring(4);
  for (std::uint64_t rank : {0, 1})
    ring.rank({{EventKind::MpiSend, (rank + 1) % 4}});
  ring.rank({{EventKind::MpiRecv, 1}});
  auto communication = ring.made();
  for (std::size_t r = 0; r < 3; ++r)
    communication.ranks[r].locations = {r};

  auto plan = plan_with(
      {profile_of({1}), profile_of({1, 2}), profile_of({1}), profile_of({1}), profile_of({1})});
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    plan.processes[p].rank = p % 3;
  group_by_signature(plan, communication, {.by = CompareBy::signature});

  std::vector<std::vector<std::size_t>> found;
  for (const auto& g : *plan.groups)
    found.push_back(g.members);
  EXPECT_THAT(found, ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3, 4)));
  EXPECT_EQ((*plan.groups)[1].clusters, (SignatureClusters{1, 1, "0 2"}));
  EXPECT_FALSE((*plan.groups)[2].clusters);
  EXPECT_EQ(plan.comparison.by, CompareBy::signature);
  EXPECT_THAT((*plan.groups)[0].similarity, ElementsAre(1, 0.5, 0.5));
}

}  // namespace tracefold::group_test
