#include "filters/report/report_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace tracefold::report_calls_test {

using ::testing::ElementsAre;

namespace {

// Both processes call main, which calls read, which calls open, and solve.
RunFacts make_facts() {
  RunFacts facts;
  facts.ticks_per_second = 1;
  auto& calls = facts.calls;
  calls.functions = {{"main", "", ""}, {"read", "", ""}, {"open", "", ""}, {"solve", "", ""}};
  calls.time_metrics.assign(4, Metric::execution_time);
  calls.profiles.paths = {{}, {0, 0}, {1, 1}, {2, 2}, {1, 3}};
  calls.profiles.shapes = {{{0, 1, 2, 3, 4}, {no_path, 0, 1, 2, 1}}};
  calls.profiles.columns.measured = {Metric::execution_time};
  calls.profiles.processes.push_back({0, {0, 1, 2, 1, 20}});
  calls.profiles.processes.push_back({0, {0, 1, 0, 5, 10}});
  facts.processes.resize(2);
  return facts;
}

Report list(const CallLimits& most = {}) {
  Report report;
  report.groups = {{"first", {0}, {}}, {"second", {1}, {}}};
  list_report_calls(make_facts(), report, most);
  return report;
}

TEST(ReportCalls, AreATreeWithTheLongestFirst) {
  const auto calls = list().calls;
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[0].name, "main");
  EXPECT_EQ(calls[0].caller, std::nullopt);
  EXPECT_EQ(calls[0].inclusive, 40);
  EXPECT_EQ(calls[0].exclusive, 2);
  EXPECT_EQ(calls[1].name, "solve");
  EXPECT_EQ(calls[1].caller, 0u);
  EXPECT_EQ(calls[2].name, "read");
  EXPECT_EQ(calls[2].inclusive, 8);
  EXPECT_EQ(calls[3].name, "open");
  EXPECT_EQ(calls[3].caller, 2u);
}

TEST(ReportCalls, AreKnownByGroup) {
  const auto calls = list().calls;
  EXPECT_THAT(calls[0].group_inclusive, ElementsAre(24, 16));
  EXPECT_THAT(calls[0].group_exclusive, ElementsAre(1, 1));
  EXPECT_THAT(calls[2].group_inclusive, ElementsAre(3, 5));
  EXPECT_THAT(calls[2].group_exclusive, ElementsAre(2, 0));
}

TEST(ReportCalls, CountForThoseAroundThemWhereTheyAreLeftOut) {
  const auto calls = list({3, 20'000}).calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[2].name, "read");
  EXPECT_EQ(calls[2].left_out, 1u);
  EXPECT_THAT(calls[2].group_inclusive, ElementsAre(3, 5));
  EXPECT_THAT(calls[2].group_exclusive, ElementsAre(2, 0));
}

TEST(ReportCalls, AreLeftOutWhereTheyTakeHardlyAnyTime) {
  EXPECT_EQ(list({150, 20'000, 0.25}).calls.size(), 2u);
}

}  // namespace

}  // namespace tracefold::report_calls_test
