#include "filters/report/report_functions.hpp"

#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace tracefold::report_functions_test {

using ::testing::ElementsAre;

namespace {

// Two threads and a stream, each in a group of its own; `kernel` runs on the stream alone.
RunFacts make_facts() {
  RunFacts facts;
  facts.ticks_per_second = 1;
  auto& calls = facts.calls;
  calls.functions = {{"main", "", ""}, {"solve", "", ""}, {"kernel", "", ""}};
  calls.time_metrics = {Metric::execution_time, Metric::execution_time, Metric::execution_time};
  calls.profiles.paths = {{}, {0, 0}, {1, 1}, {0, 2}};
  calls.profiles.shapes = {{{0, 1, 2, 3}, {no_path, 0, 1, 0}}};
  calls.profiles.columns.measured = {Metric::execution_time, Metric::visits};
  for (const std::uint64_t solve : {6, 2})
    calls.profiles.processes.push_back({0, {0, 0, 1, 1, solve, 5, 0, 0}});
  calls.profiles.processes.push_back({0, {0, 0, 0, 0, 0, 0, 20, 3}});
  facts.processes.resize(3);
  facts.types = {otf2_value::location_type_cpu, otf2_value::location_type_cpu,
                 otf2_value::location_type_accelerator};
  return facts;
}

Report make_report() {
  Report report;
  report.groups = {{"threads", {0, 1}, {}}, {"stream", {2}, {}}};
  return report;
}

TEST(ReportFunctions, AreTheLongestFirst) {
  auto report = make_report();
  list_report_functions(make_facts(), report);
  ASSERT_EQ(report.functions.size(), 3u);
  EXPECT_EQ(report.functions[0].name, "kernel");
  EXPECT_EQ(report.functions[1].name, "solve");
  EXPECT_EQ(report.functions[2].name, "main");
  EXPECT_EQ(report.functions[1].seconds, 8);
  EXPECT_EQ(report.functions[1].visits, 10);
  EXPECT_EQ(report.functions_left_out, 0u);
  EXPECT_THAT(report.functions[1].boxes,
              ElementsAre(ElementsAre(2, 2, 2, 6, 6), ElementsAre(0, 0, 0, 0, 0)));
}

TEST(ReportFunctions, AreKnownByGroup) {
  auto report = make_report();
  list_report_functions(make_facts(), report);
  EXPECT_THAT(report.functions[0].group_seconds, ElementsAre(0, 20));
  EXPECT_THAT(report.functions[0].group_visits, ElementsAre(0, 3));
  EXPECT_THAT(report.functions[1].group_seconds, ElementsAre(8, 0));
  EXPECT_THAT(report.functions[1].group_visits, ElementsAre(10, 0));
}

TEST(ReportFunctions, HaveAShareOfTheTimeOfThreads) {
  auto report = make_report();
  list_report_functions(make_facts(), report);
  EXPECT_FALSE(report.functions[0].share);
  EXPECT_EQ(report.functions[0].kind, Paradigm::accelerator);
  EXPECT_DOUBLE_EQ(report.functions[1].share.value(), 0.8);
  EXPECT_DOUBLE_EQ(report.functions[2].share.value(), 0.2);
}

TEST(ReportFunctions, KeepTheirSharesWhereOthersAreLeftOut) {
  auto report = make_report();
  list_report_functions(make_facts(), report, {2, 20'000});
  ASSERT_EQ(report.functions.size(), 2u);
  EXPECT_EQ(report.functions_left_out, 1u);
  EXPECT_DOUBLE_EQ(report.functions[1].share.value(), 0.8);
}

}  // namespace

}  // namespace tracefold::report_functions_test
