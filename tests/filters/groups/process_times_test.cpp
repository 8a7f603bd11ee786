#include "filters/groups/process_times.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::process_times_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One group of processes with these times in functions 0, 1, ….
Plan plan_of(const std::vector<std::vector<std::uint64_t>>& times) {
  Plan plan;
  plan.functions.resize(times[0].size());
  plan.intents.resize(1);
  for (FunctionIndex f = 0; f < times[0].size(); ++f)
    plan.intents[0].functions.push_back(f);

  Group group;
  group.intents = {0};

  for (const auto& one : times) {
    group.members.push_back(plan.processes.size());
    auto& p = plan.processes.emplace_back();
    p.id = plan.processes.size();
    p.exclusive = one;
  }

  plan.groups = {group};

  return plan;
}

std::vector<std::vector<std::size_t>> clusters(const Plan& plan, std::size_t count) {
  return find_time_clusters(plan, plan.groups->front(), plan.groups->front().members, count);
}

TEST(TimeClusters, PartProcessesByTheirTimes) {
  const auto plan = plan_of({{100, 1}, {101, 2}, {5, 90}, {99, 1}, {6, 91}});
  EXPECT_THAT(clusters(plan, 2), ElementsAre(ElementsAre(0, 1, 3), ElementsAre(2, 4)));
  EXPECT_THAT(clusters(plan, auto_per_group), ElementsAre(ElementsAre(0, 1, 3), ElementsAre(2, 4)));
  EXPECT_THAT(clusters(plan, 1), ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
}

TEST(TimeClusters, AreNoMoreThanProcessesDiffer) {
  EXPECT_EQ(clusters(plan_of({{1}, {2}, {3}}), 7).size(), 3u);
  EXPECT_THAT(clusters(plan_of({{4}, {4}, {9}, {4}}), 1000),
              ElementsAre(ElementsAre(0, 1, 3), ElementsAre(2)));
  EXPECT_EQ(clusters(plan_of({{4}, {4}}), auto_per_group).size(), 1u);
}

TEST(TimeClusters, LookAtTheTenFunctionsWithTheMostTime) {
  std::vector<std::vector<std::uint64_t>> times(4, std::vector<std::uint64_t>(11, 100));
  times[1][0] = times[3][0] = 40;  // the smallest in sum, and the only one that differs
  EXPECT_EQ(clusters(plan_of(times), 2).size(), 1u);
  times[0][0] = times[2][0] = 190;
  EXPECT_THAT(clusters(plan_of(times), 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
}

TEST(TimeClusters, DivideSomeOfTheMembers) {
  const auto plan = plan_of({{1}, {50}, {2}, {51}});
  EXPECT_THAT(find_time_clusters(plan, plan.groups->front(), {1, 2, 3}, 2),
              ElementsAre(ElementsAre(1, 3), ElementsAre(2)));
  EXPECT_THAT(find_time_clusters(plan, plan.groups->front(), {}, 2), IsEmpty());
}

TEST(TimeClusters, TakeProcessesWithoutFunctionsAsOne) {
  EXPECT_EQ(clusters(plan_of({{}, {}, {}}), 3).size(), 1u);
}

TEST(TimeClusters, SurviveTimesWhoseSumExceeds64Bits) {
  auto plan = plan_of({{~0ull >> 1, 1}, {~0ull >> 1, 2}, {1, 1}});
  for (auto& p : plan.processes)
    p.weight = 1'000'000;
  EXPECT_THAT(clusters(plan, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

std::vector<std::vector<std::size_t>> clusters_by_all(const Plan& plan, std::size_t count) {
  const auto& group = plan.groups->front();
  return find_time_clusters(plan, group, group.members, count, TimeFeatures::all);
}

double distance_squared(const Plan& plan, std::size_t a, std::size_t b) {
  const auto& group = plan.groups->front();
  const auto points = make_scaled_points(plan, group, group.members);
  double sum = 0;
  for (std::size_t d = 0; d < points[a].size(); ++d) {
    const auto x = static_cast<double>(points[a][d]) / scaled_unit;
    const auto y = static_cast<double>(points[b][d]) / scaled_unit;
    sum += (x - y) * (x - y);
  }
  return sum;
}

TEST(TimeClusters, ByAllFunctionsSeeTheEleventhAndTheRest) {
  std::vector<std::vector<std::uint64_t>> times(4, std::vector<std::uint64_t>(11, 100));
  times[1][0] = times[3][0] = 40;  // the smallest in sum, and the only one that differs
  EXPECT_THAT(clusters_by_all(plan_of(times), 2),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));

  auto plan = plan_of({{5}, {5}, {5}});
  plan.processes[1].rest = 9;
  EXPECT_THAT(clusters_by_all(plan, 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

// Function 1 has nine tenths of the time. Function 0 varies more in ticks, and decides alone where
// times are not scaled.
TEST(TimeClusters, ByAllFunctionsCountTheseByTheirShareOfTime) {
  const auto plan = plan_of({{0, 1000}, {200, 1000}, {0, 1100}, {200, 1100}});
  EXPECT_THAT(clusters(plan, 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  EXPECT_THAT(clusters_by_all(plan, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(ScaledPoints, SpreadByTheShareOfTimeOfEachFunction) {
  // Shares 0.25 and 0.75, deviations 50 and 100: each pair is two deviations apart.
  const auto plan = plan_of({{50, 200}, {150, 200}, {50, 400}, {150, 400}});
  EXPECT_NEAR(distance_squared(plan, 0, 1), 4 * 0.25, 1e-6);
  EXPECT_NEAR(distance_squared(plan, 0, 2), 4 * 0.75, 1e-6);
  EXPECT_NEAR(distance_squared(plan, 0, 3), 4, 1e-6);
}

TEST(ScaledPoints, CountProcessesByWhatTheyStandFor) {
  auto plan = plan_of({{100}, {200}});
  plan.processes[0].weight = 3;  // mean 125, deviation √(1875)
  EXPECT_NEAR(distance_squared(plan, 0, 1), 100.0 * 100 / 1875, 1e-6);
}

TEST(ScaledPoints, DoNotBlowUpNoise) {
  // Deviation 1 of a mean of 1001 counts as 10.01.
  EXPECT_NEAR(distance_squared(plan_of({{1000}, {1002}}), 0, 1), (2 / 10.01) * (2 / 10.01), 1e-6);
  EXPECT_EQ(distance_squared(plan_of({{7}, {7}}), 0, 1), 0);
  EXPECT_EQ(distance_squared(plan_of({{0}, {0}}), 0, 1), 0);
}

TEST(ScaledPoints, SurviveTimesWhoseSumExceeds64Bits) {
  auto plan = plan_of({{~0ull, 1}, {~0ull, 2}, {1, 1}});
  for (auto& p : plan.processes)
    p.weight = 1'000'000;
  EXPECT_THAT(clusters_by_all(plan, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

}  // namespace tracefold::process_times_test
