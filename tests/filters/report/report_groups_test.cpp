#include "filters/report/report_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tracefold::report_groups_test {

using ::testing::ElementsAre;

namespace {

Process make_process(std::uint64_t id, std::uint64_t rank, std::uint64_t thread) {
  Process process;
  process.id = id;
  process.rank = rank;
  process.thread = thread;
  return process;
}

RunFacts make_facts(std::size_t ranks, Summary& summary) {
  RunFacts facts;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    facts.processes.push_back(make_process(rank, rank, 0));
    RankTimes times;
    times.master = rank;
    times.threads = {rank};
    times.computation = {static_cast<double>(rank)};
    times.waiting = 10;
    summary.ranks.push_back(times);
  }
  return facts;
}

TEST(OrderProcesses, IsByRankAndThreadWhateverTheIds) {
  EXPECT_THAT(
      order_processes({make_process(0, 1, 1), make_process(1, 0, 0), make_process(2, 1, 0)}),
      ElementsAre(1, 2, 0));
}

TEST(ReportGroups, HaveTheTimesOfTheirMembers) {
  Summary summary;
  auto facts = make_facts(4, summary);
  facts.groups = {{"first", {0}}, {"others", {1, 2, 3}}};
  Report report;
  list_report_groups(facts, summary, {}, {{0}, {2}}, report);
  ASSERT_EQ(report.groups.size(), 2);
  EXPECT_THAT(report.group_of, ElementsAre(0, 1, 1, 1));
  ASSERT_TRUE(report.groups[1].computation);
  EXPECT_EQ(report.groups[1].computation->least, 1);
  EXPECT_EQ(report.groups[1].computation->mean, 2);
  EXPECT_EQ(report.groups[1].computation->most, 3);
  EXPECT_EQ(report.groups[1].waiting->mean, 10);
  EXPECT_THAT(report.groups[1].representatives, ElementsAre(2));
}

TEST(ReportGroups, DoNotKnowWaitingThatWasNotMeasured) {
  Summary summary;
  auto facts = make_facts(2, summary);
  for (auto& rank : summary.ranks)
    rank.waiting.reset();
  facts.groups = {{"all", {0, 1}}};
  Report report;
  list_report_groups(facts, summary, {}, {}, report);
  EXPECT_FALSE(report.groups[0].waiting);
}

TEST(ReportGroups, AreAFewWhereThereAreVeryMany) {
  Summary summary;
  auto facts = make_facts(2000, summary);
  facts.groups.push_back({"large", {0, 1}});
  for (std::size_t p = 2; p < 2000; ++p)
    facts.groups.push_back({std::to_string(p), {p}});
  Report report;
  list_report_groups(facts, summary, {}, {}, report);
  ASSERT_EQ(report.groups.size(), most_report_groups);
  EXPECT_EQ(report.groups.front().name, "large");
  EXPECT_EQ(report.groups.back().merged, 1999 - 511);
  EXPECT_EQ(report.groups.back().members.size(), 1999 - 511);
  EXPECT_EQ(report.group_of.back(), most_report_groups - 1);
}

}  // namespace

}  // namespace tracefold::report_groups_test
