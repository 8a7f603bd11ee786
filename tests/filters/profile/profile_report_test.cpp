#include "filters/profile/profile_report.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::profile_report_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Four processes in two groups: main calls work, and work calls help; process p works p + 1 ticks.
struct Made {
  Plan plan;
  CallPathProfiles calls;

  Made() {
    plan.functions = {{"main", "", "", 0}, {"work", "", "", 0}, {"help", "", "", 0}};
    plan.processes.resize(4);
    plan.groups = {{{0, 2}, {0}, {1, 1}}, {{1, 3}, {0}, {1, 1}}};
    calls.paths = {{no_path, 0}, {0, 1}, {1, 2}};
    calls.shapes = {{{0, 1, 2}, {no_path, 0, 1}}};
    calls.columns.measured = {Metric::execution_time, Metric::visits};
    calls.columns.counters = {{"cycles", 1}};
    for (std::uint64_t p = 0; p < 4; ++p)
      calls.processes.push_back({0, {10, 1, 5, p + 1, 2, 0, 4, 3, 100 * (p + 1)}});
  }
};

const ProfileRow& get_row(const GroupProfile& group, FunctionIndex function) {
  return *std::find_if(group.rows.begin(), group.rows.end(),
                       [&](const auto& row) { return row.function == function; });
}

TEST(ProfileReport, BeginsWithAllProcessesTogether) {
  const Made made;
  const auto report = make_profile_report(made.plan, made.calls, {});
  ASSERT_TRUE(report.all);
  EXPECT_EQ(report.all->group, all_groups);
  EXPECT_EQ(report.all->processes, 4u);
  EXPECT_EQ(get_row(*report.all, 1).exclusive.total, 1 + 2 + 3 + 4);
  EXPECT_EQ(report.all->time, 4 * 10 + 10 + 4 * 4);
  ASSERT_THAT(report.groups, SizeIs(2));
  EXPECT_EQ(get_row(report.groups[1], 1).exclusive.total, 2 + 4);
  EXPECT_EQ(report.groups[1].time, 2 * 10 + 6 + 2 * 4);
}

TEST(ProfileReport, HasNoneOfAllWhereOneGroupIsAskedForOrThereIsOne) {
  Made made;
  ProfileOptions options;
  options.group = 1;
  EXPECT_FALSE(make_profile_report(made.plan, made.calls, options).all);
  made.plan.groups = {{{0, 1, 2, 3}, {0}, {1}}};
  EXPECT_FALSE(make_profile_report(made.plan, made.calls, {}).all);
}

// Group 0 has processes that work 1 and 3 ticks, group 1 those that do 2 and 4.
TEST(ProfileReport, SummarizesTheFunctionsWithMostTime) {
  const Made made;
  ProfileOptions options;
  options.most_rows = 1;
  const auto summary = make_profile_report(made.plan, made.calls, options).summary;
  ASSERT_TRUE(summary);
  EXPECT_THAT(summary->functions, ElementsAre(0, 2, 1)) << "40, 16 and 10 ticks";
  ASSERT_THAT(summary->bars, SizeIs(2));
  const auto& work = summary->bars[1][2];
  EXPECT_EQ(work.minimum, 2u);
  EXPECT_EQ(work.mean, 3);
  EXPECT_EQ(work.maximum, 4u);
  EXPECT_EQ(summary->bars[0][1].minimum, 4u);
  EXPECT_EQ(summary->bars[0][1].maximum, 4u);
}

TEST(ProfileReport, HasNoSummaryWhereWhatProcessesDidIsNotKnown) {
  Made made;
  ProfileOptions options;
  options.view = ProfileReport::View::call_paths;
  EXPECT_FALSE(make_profile_report(made.plan, made.calls, options).summary);
  made.plan.processes[0].weight = 2;
  EXPECT_FALSE(make_profile_report(made.plan, made.calls, {}).summary);
}

TEST(ProfileReport, ShowsTheClustersOfAGroup) {
  Made made;
  made.plan.representatives = {{0, 0, {0, 2}, ""}, {1, 1, {1}, ""}, {1, 3, {3}, ""}};
  const auto report = make_profile_report(made.plan, made.calls, {});
  ASSERT_THAT(report.groups, SizeIs(3));
  EXPECT_FALSE(report.groups[0].cluster) << "one stands for all of them";
  EXPECT_EQ(report.groups[1].cluster, 1u);
  EXPECT_EQ(report.groups[2].cluster, 2u);
  EXPECT_EQ(report.groups[2].group, 1u);
  EXPECT_EQ(report.groups[2].processes, 1u);
  EXPECT_EQ(get_row(report.groups[2], 1).exclusive.total, 4);
  EXPECT_EQ(report.summary->bars[2][2].maximum, 4u);
  EXPECT_EQ(report.all->processes, 4u);
}

TEST(ProfileReport, HasCountersWithoutCallees) {
  const Made made;
  const auto report = make_profile_report(made.plan, made.calls, {});
  ASSERT_THAT(report.counters, SizeIs(1));
  EXPECT_EQ(report.counters[0].name, "cycles");
  EXPECT_THAT(get_row(*report.all, 2).counters[0].at, ElementsAre(100, 100, 200, 300, 400));
  EXPECT_EQ(get_row(*report.all, 2).counters[0].total, 1000);
  EXPECT_EQ(get_row(*report.all, 0).counters[0].total, 20);
}

// Cycles by time, of columns 2 and 0.
MetricRatio cycles_by_time() {
  return {.name = "cycles/time",
          .unit = "1/s",
          .above = {{2}, true},
          .below = {{0}, false},
          .factor = 1000};
}

TEST(ProfileReport, DividesSumsOverProcesses) {
  const Made made;
  const auto report = make_profile_report(made.plan, made.calls, {}, {}, cycles_by_time());
  EXPECT_DOUBLE_EQ(*get_row(*report.all, 0).ratio, 1000 * 20. / 40);
  EXPECT_DOUBLE_EQ(*get_row(*report.all, 1).ratio, 0) << "it counts none there";
  EXPECT_DOUBLE_EQ(*get_row(*report.all, 2).ratio, 1000 * 1000. / 16);
  EXPECT_DOUBLE_EQ(*get_row(report.groups[1], 2).ratio, 1000 * 600. / 8);
  EXPECT_DOUBLE_EQ(*report.all->ratio, 1000 * 1020. / (40 + 10 + 16));
}

TEST(ProfileReport, DividesWhatProcessesThatRecordBothHave) {
  Made made;
  for (std::size_t p = 1; p < 4; ++p)
    made.calls.processes[p].values[2] = made.calls.processes[p].values[8] = 0;
  made.plan.processes[0].weight = 3;
  const auto report = make_profile_report(made.plan, made.calls, {}, {}, cycles_by_time());
  EXPECT_DOUBLE_EQ(*get_row(*report.all, 2).ratio, 1000 * 100. / 4);
  EXPECT_FALSE(get_row(report.groups[1], 2).ratio) << "not recorded there";
  EXPECT_FALSE(report.groups[1].ratio);
}

TEST(ProfileReport, DoesNotDivideBy0) {
  Made made;
  made.calls.processes[0].values[0] = made.calls.processes[2].values[0] = 0;
  const auto report = make_profile_report(made.plan, made.calls, {}, {}, cycles_by_time());
  EXPECT_FALSE(get_row(report.groups[0], 0).ratio);
  EXPECT_TRUE(get_row(report.groups[1], 0).ratio);
}

TEST(ProfileReport, PutsProcessesIntoQuarters) {
  const Made made;
  ProfileOptions options;
  EXPECT_FALSE(get_row(*make_profile_report(made.plan, made.calls, options).all, 1).quarters);
  options.quarters = true;
  const auto report = make_profile_report(made.plan, made.calls, options);
  EXPECT_EQ(report.quarters_of, Quantity::exclusive);
  EXPECT_THAT(*get_row(*report.all, 1).quarters,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(*get_row(*report.all, 2).quarters,
              ElementsAre(ElementsAre(0, 1, 2, 3), IsEmpty(), IsEmpty(), IsEmpty()))
      << "all are equal";

  options.sort = SortKey::inclusive;
  const auto inclusive = make_profile_report(made.plan, made.calls, options);
  EXPECT_EQ(inclusive.quarters_of, Quantity::inclusive);
  EXPECT_THAT(*get_row(*inclusive.all, 0).quarters,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
}

TEST(ProfileReport, CountsTheInclusiveTimeOfAGroupOfFunctionsOnce) {
  const Made made;
  ProfileOptions options;
  options.view = ProfileReport::View::function_groups;
  options.sort = SortKey::exclusive;
  const auto report =
      make_profile_report(made.plan, made.calls, options, {{"ours", "other"}, {1, 0, 0}});
  EXPECT_THAT(report.function_groups, ElementsAre("ours", "other"));
  ASSERT_THAT(report.all->rows, SizeIs(2));
  EXPECT_EQ(report.all->rows[0].function, 1u) << "the one with most exclusive time is first";
  const auto& ours = get_row(*report.all, 0);
  EXPECT_EQ(ours.exclusive.total, 10 + 16);
  EXPECT_EQ(ours.inclusive.total, 10 + 16) << "help in work counts once";
  EXPECT_EQ(ours.visits.total, 4 * (2 + 3));
}

}  // namespace tracefold::profile_report_test
