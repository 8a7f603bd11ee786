#include "filters/groups/select.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::select_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Process process(std::uint64_t id, std::uint64_t location_group, bool listed, std::uint64_t ticks) {
  Process p;
  p.id = id;
  p.location_group = location_group;
  p.is_mpi_endpoint = listed;
  p.exclusive = {ticks};

  return p;
}

// Three processes of two threads; threads are a group that stands first.
Plan plan_of_threads() {
  Plan plan;
  plan.functions.resize(1);
  plan.intents.resize(1);
  plan.intents[0].functions = {0};
  plan.processes = {process(0, 0, false, 5), process(1, 0, true, 1),   process(2, 1, false, 6),
                    process(3, 1, true, 4),  process(4, 2, false, 90), process(5, 2, true, 90)};
  plan.groups = {{{0, 2, 4}, {0}, {1, 0}}, {{1, 3, 5}, {0}, {0, 1}}};

  return plan;
}

std::size_t chosen(Choice choice, std::size_t group) {
  auto plan = plan_of_threads();
  select(plan, {.choice = choice});
  return plan.representatives->at(group).process;
}

TEST(Select, TakesFirstMedoidOrSlowest) {
  EXPECT_EQ(chosen(Choice::first, 1), 1u);
  EXPECT_EQ(chosen(Choice::medoid, 1), 3u);
  EXPECT_EQ(chosen(Choice::slowest, 1), 5u);
}

TEST(Select, TakesThreadsFromAProcessThatIsKept) {
  EXPECT_EQ(chosen(Choice::first, 0), 0u);
  EXPECT_EQ(chosen(Choice::medoid, 0), 2u);
  EXPECT_EQ(chosen(Choice::slowest, 0), 4u);
  auto plan = plan_of_threads();
  plan.processes[0].exclusive = {1000};  // slowest thread, of a process that is not kept
  select(plan, {.choice = Choice::slowest});
  EXPECT_EQ(plan.representatives->at(0).process, 4u);
  EXPECT_THAT(plan.representatives->at(0).why, HasSubstr("kept processes"));
}

TEST(Select, TakesStreamsThatAProcessCreatedWhichIsKept) {
  auto plan = plan_of_threads();
  for (std::uint64_t p : {0u, 2u, 4u}) {
    plan.processes[p].creator = plan.processes[p].location_group;
    plan.processes[p].location_group += 10;
  }
  select(plan, {.choice = Choice::medoid});
  EXPECT_EQ(plan.representatives->at(1).process, 3u);
  EXPECT_EQ(plan.representatives->at(0).process, 2u);
  EXPECT_THAT(plan.representatives->at(0).why, HasSubstr("kept processes"));
}

TEST(Select, GivesTiesOfTheSlowestToTheLowestId) {
  auto plan = plan_of_threads();
  plan.processes[3].exclusive = {90};
  select(plan, {.choice = Choice::slowest});
  EXPECT_EQ(plan.representatives->at(1).process, 3u);
}

TEST(Select, RefusesUnknownWordsAndPlansWithoutGroups) {
  EXPECT_EQ(parse_choice("medoid"), Choice::medoid);
  EXPECT_THROW(parse_choice("best"), Error);
  Plan plan;
  EXPECT_THROW(select(plan, {.choice = Choice::first}), Error);
}

// One group of six ranks that take 50, 10, 90, 10, 90, 51 ticks.
Plan plan_of_ranks() {
  Plan plan;
  plan.functions.resize(1);
  plan.intents.resize(1);
  plan.intents[0].functions = {0};
  Group group;
  for (std::uint64_t ticks : {50, 10, 90, 10, 90, 51}) {
    group.members.push_back(plan.processes.size());
    plan.processes.push_back(
        process(10 * plan.processes.size(), plan.processes.size(), true, ticks));
  }

  group.intents = {0};
  plan.groups = {group};

  return plan;
}

// "kept: members (why)" of each representative.
std::vector<std::string> kept(Plan plan, const Selection& selection) {
  select(plan, selection);
  EXPECT_EQ(plan.selection, selection);
  std::vector<std::string> lines;
  for (const auto& r : *plan.representatives) {
    auto line = std::to_string(r.process) + ":";
    for (auto m : r.members)
      line += " " + std::to_string(m);
    lines.push_back(line + " (" + r.why + ")");
  }

  return lines;
}

TEST(SelectPerGroup, KeepsOneOfEachCluster) {
  const auto plan = plan_of_ranks();
  EXPECT_THAT(kept(plan, {.per_group = 3}),
              ElementsAre("0: 0 5 (medoid of cluster 1 of 3)", "1: 1 3 (medoid of cluster 2 of 3)",
                          "2: 2 4 (medoid of cluster 3 of 3)"));
  EXPECT_EQ(kept(plan, {.per_group = auto_per_group}), kept(plan, {.per_group = 3}));
  EXPECT_THAT(kept(plan, {.choice = Choice::slowest, .per_group = 3}),
              ElementsAre("1: 1 3 (computes most of cluster 2 of 3)",
                          "2: 2 4 (computes most of cluster 3 of 3)",
                          "5: 0 5 (computes most of cluster 1 of 3)"));

  EXPECT_THAT(kept(plan, {.choice = Choice::first, .per_group = 99}), SizeIs(4));
}

TEST(SelectPerGroup, FindsClustersByTheFeaturesThatAreAskedFor) {
  Plan plan;
  plan.functions.resize(2);
  plan.intents.resize(1);
  plan.intents[0].functions = {0, 1};
  plan.groups = {Group{}};
  plan.groups->front().intents = {0};
  for (const auto& times :
       {std::vector<std::uint64_t>{0, 1000}, {200, 1000}, {0, 1100}, {200, 1100}}) {
    plan.groups->front().members.push_back(plan.processes.size());
    plan.processes.emplace_back().exclusive = times;
  }
  EXPECT_THAT(
      kept(plan, {.choice = Choice::first, .per_group = 2}),
      ElementsAre("0: 0 2 (lowest id of cluster 1 of 2)", "1: 1 3 (lowest id of cluster 2 of 2)"));
  EXPECT_THAT(
      kept(plan, {.choice = Choice::first, .per_group = 2, .features = TimeFeatures::all}),
      ElementsAre("0: 0 1 (lowest id of cluster 1 of 2)", "2: 2 3 (lowest id of cluster 2 of 2)"));
}

TEST(SelectWhole, TakesNobodyWhoseRecordsEndEarlyForOthers) {
  for (const auto choice : {Choice::first, Choice::medoid, Choice::slowest, Choice::connected}) {
    auto plan = plan_of_ranks();
    for (std::size_t p : {0u, 1u, 2u, 4u, 5u})
      plan.processes[p].ends_early = 5;
    select(plan, {.choice = choice});
    ASSERT_THAT(*plan.representatives, SizeIs(1));
    EXPECT_EQ(plan.representatives->front().process, 3u) << static_cast<int>(choice);
  }
}

TEST(SelectWhole, TakesAnyWhereRecordsOfAllEndEarly) {
  auto plan = plan_of_ranks();
  for (auto& p : plan.processes)
    p.ends_early = 5;
  EXPECT_THAT(kept(plan, {.choice = Choice::first}), ElementsAre("0: 0 1 2 3 4 5 (lowest id)"));
}

// The same time in all, of which rank 2 computes most and rank 4 least; the others wait for it in
// MPI.
Plan plan_of_waiting_ranks() {
  auto plan = plan_of_ranks();
  plan.trace.run = TimeSpan{0, 10'000};  // beside which nobody is odd
  plan.functions.resize(2);
  plan.functions[0].name = "compute";
  plan.functions[1].name = "MPI_Barrier";
  plan.functions[1].paradigm = otf2_value::paradigm_mpi;
  plan.intents[0].functions = {0, 1};
  std::size_t rank = 0;
  for (std::uint64_t ticks : {30, 30, 90, 30, 29, 30})
    plan.processes[rank++].exclusive = {ticks, 100 - ticks};
  return plan;
}

TEST(SelectSlowest, GoesByComputationWhereAllTakeEquallyLong) {
  EXPECT_THAT(kept(plan_of_waiting_ranks(), {.choice = Choice::slowest}),
              ElementsAre("2: 0 1 2 3 4 5 (computes most)"));
}

TEST(SelectSlowest, GoesByTimeInMpiWhereNothingElseWasRecorded) {
  auto plan = plan_of_waiting_ranks();
  for (auto& p : plan.processes)
    p.exclusive[0] = 0;
  EXPECT_THAT(kept(plan, {.choice = Choice::slowest}),
              ElementsAre("2: 0 1 2 3 4 5 (computes most)"));
}

TEST(SelectAlways, KeepsLocationsForThemselves) {
  EXPECT_THAT(kept(plan_of_ranks(), {.always = {30, 50}}),
              ElementsAre("0: 0 1 2 4 (medoid of exclusive times)", "3: 3 (kept on request)",
                          "5: 5 (kept on request)"));
}

TEST(SelectAlways, MayLeaveOneOtherOrNone) {
  EXPECT_THAT(kept(plan_of_ranks(), {.always = {0, 10, 20, 30, 40}}),
              ::testing::Contains("5: 5 (only other member)"));
  EXPECT_THAT(kept(plan_of_ranks(), {.per_group = 3, .always = {0, 10, 20, 30, 40, 50}}),
              SizeIs(6));
}

TEST(SelectAlways, NamesLocationsThatAreNotThere) {
  auto plan = plan_of_ranks();
  try {
    select(plan, {.always = {10, 11, 12, 13, 99}});
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::usage);
    EXPECT_THAT(problem.what(), HasSubstr("11-13,99"));
  }
}

TEST(Select, DividesAGroupWithoutOverlapWhateverIsAskedFor) {
  EXPECT_THAT(kept(plan_of_ranks(), {.per_group = 3, .always = {20, 50}}),
              ElementsAre("0: 0 (only member of cluster 1 of 3)",
                          "1: 1 3 (medoid of cluster 2 of 3)", "2: 2 (kept on request)",
                          "4: 4 (only member of cluster 3 of 3)", "5: 5 (kept on request)"));
}

TEST(Select, PrefersProcessesThatAreKeptOnRequestForThreads) {
  auto plan = plan_of_threads();
  plan.processes[0].exclusive = {1000};  // of rank 0, which is not kept
  plan.processes[4].exclusive = {1};     // of rank 2, the slowest
  select(plan, {.choice = Choice::slowest, .always = {3}});
  EXPECT_EQ(plan.representatives->at(0).process, 2u);  // of rank 1, which is kept on request
}

// Ranks 0 to 2 are one group and 3 and 4 another one; all send messages.
Plan plan_of_talking_ranks() {
  Plan plan;
  plan.functions.resize(1);
  plan.intents.resize(1);
  plan.intents[0].functions = {0};
  for (std::uint64_t rank = 0; rank < 5; ++rank) {
    auto& added = plan.processes.emplace_back(process(rank, rank, true, 10 + rank));
    added.rank = rank;
    added.has_messages = true;
  }
  plan.groups = {{{0, 1, 2}, {0}, {1, 0}}, {{3, 4}, {0}, {0, 1}}};

  return plan;
}

TEST(Select, TakesConnectedRanks) {
  auto plan = plan_of_talking_ranks();
  select(plan, {.choice = Choice::connected}, {{0, 1, 100}, {2, 4, 5}, {1, 3, 4}});
  ASSERT_THAT(*plan.representatives, SizeIs(2));
  EXPECT_EQ(plan.representatives->at(0).process, 2u);
  EXPECT_EQ(plan.representatives->at(1).process, 4u);
  EXPECT_EQ(plan.representatives->at(0).why, "most messages with other representatives");
  EXPECT_THAT(plan.representatives->at(0).members, ElementsAre(0, 1, 2));
}

TEST(Select, KeepsTheMedoidWhereNoOtherRankIsConnectedBetter) {
  for (const std::vector<RankMessages>& messages :
       {std::vector<RankMessages>{}, {{1, 3, 7}, {2, 4, 7}}}) {
    auto plan = plan_of_talking_ranks();
    select(plan, {.choice = Choice::connected}, messages);
    EXPECT_EQ(plan.representatives->at(0).process, 1u);
    EXPECT_EQ(plan.representatives->at(1).process, 3u);
    EXPECT_EQ(plan.representatives->at(0).why, "medoid of exclusive times");
  }
}

TEST(Select, TakesThreadsOfConnectedRanks) {
  auto plan = plan_of_talking_ranks();
  // Another thread of rank 4, which sends, too, and for which a thread of another rank stands.
  for (std::uint64_t id : {5u, 6u}) {
    auto& added = plan.processes.emplace_back(process(id, id == 5 ? 0 : 4, false, 1));
    added.rank = id == 5 ? 0 : 4;
    added.thread = 1;
    added.has_messages = id == 6;
  }
  plan.groups->push_back({{5, 6}, {0}, {}});

  select(plan, {.choice = Choice::connected}, {{1, 3, 4}, {2, 4, 5}});
  // Where rank 4 is kept, its thread is taken, too, and both of its locations with messages stay.
  EXPECT_EQ(plan.representatives->at(1).process, 4u);
  EXPECT_EQ(plan.representatives->at(2).process, 6u);
}

}  // namespace tracefold::select_test
