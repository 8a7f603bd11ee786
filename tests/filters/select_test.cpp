#include "filters/select.hpp"

#include "model/error.hpp"

#include <gmock/gmock.h>

namespace tracefold {
namespace {

using ::testing::HasSubstr;

Process process(std::uint64_t id, std::uint64_t location_group, bool listed, std::uint64_t ticks) {
  Process p;
  p.id = id;
  p.location_group = location_group;
  p.listed = listed;
  p.exclusive = {ticks};
  return p;
}

// Three processes of two threads; threads are a group that stands first.
Plan plan_of_threads() {
  Plan plan;
  plan.functions.resize(1);
  plan.intents.resize(1);
  plan.intents[0].functions = {0};
  plan.processes = {process(0, 0, false, 5), process(1, 0, true, 1), process(2, 1, false, 6),
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

TEST(Select, GivesTiesOfTheSlowestToTheLowestId) {
  auto plan = plan_of_threads();
  plan.processes[3].exclusive = {90};
  select(plan, {.choice = Choice::slowest});
  EXPECT_EQ(plan.representatives->at(1).process, 3u);
}

TEST(Select, RefusesUnknownWordsAndPlansWithoutGroups) {
  EXPECT_EQ(choice_of("medoid"), Choice::medoid);
  EXPECT_THROW(choice_of("best"), Error);
  Plan plan;
  EXPECT_THROW(select(plan, {.choice = Choice::first}), Error);
}

}  // namespace
}  // namespace tracefold
