#include "filters/report/report_waits.hpp"

#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::report_waits_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

// Ranks that call `solve` and `fixed` in `main`, and wait for late senders in MPI_Recv.
class WaitingRanks {
 public:
  WaitingRanks() {
    auto& calls = facts_.calls;
    calls.functions = {
        {"main", "", ""}, {"solve", "", ""}, {"fixed", "", ""}, {"MPI_Recv", "", ""}};
    calls.time_metrics = {Metric::execution_time, Metric::execution_time, Metric::execution_time,
                          Metric::mpi_point_to_point_time};
    calls.profiles.paths = {{no_path, 0}, {0, 1}, {0, 2}, {0, 3}};
    calls.profiles.shapes = {{{0, 1, 2, 3}, {no_path, 0, 0, 0}}};
    calls.profiles.columns.measured = {Metric::execution_time, Metric::mpi_point_to_point_time,
                                       Metric::mpi_late_sender_time, Metric::visits};
    facts_.ticks_per_second = 1;
    CallWaiting waiting;
    waiting.call = {"MPI_Recv", "main"};
    waiting.kind = Metric::mpi_late_sender_time;
    summary_.waits = {waiting};
  }

  void add(std::uint64_t solve, std::uint64_t fixed, std::uint64_t waiting) {
    const auto rank = facts_.processes.size();
    Process process;
    process.id = rank;
    process.rank = rank;
    facts_.processes.push_back(process);
    facts_.types.push_back(otf2_value::location_type_cpu);
    facts_.calls.profiles.processes.push_back({0,
                                               {1, 0, 0, 1,                     // main
                                                solve, 0, 0, 1,                 // solve
                                                fixed, 0, 0, 1,                 // fixed
                                                waiting, waiting, waiting, 1},  // MPI_Recv
                                               {}});
    RankTimes times;
    times.master = rank;
    times.threads = {rank};
    summary_.ranks.push_back(times);
  }

  std::vector<ReportWait> list() const { return list_report_waits(facts_, summary_); }
  std::vector<ReportLate> list_late() const { return list_report_late(facts_, list()); }
  RunFacts& facts() { return facts_; }
  Summary& summary() { return summary_; }

 private:
  RunFacts facts_;
  Summary summary_;
};

TEST(ReportWaits, AreExplainedByTheWorkThatRanksDoLessOf) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    ranks.add(1000 - 100 * rank, 500 + rank % 2, 10 + 100 * rank);
  const auto waits = ranks.list();
  ASSERT_EQ(waits.size(), 1u);
  ASSERT_TRUE(waits[0].correlation);
  EXPECT_EQ(waits[0].correlation->call, "solve");
  EXPECT_NEAR(waits[0].correlation->r, -1, 1e-9);
  EXPECT_LT(waits[0].correlation->chance, 1e-6);
}

// The chance that one of two functions fits is about twice that of a single one.
TEST(ReportWaits, SayHowOftenAnyFunctionFitsByChance) {
  const std::vector<std::uint64_t> solve{500, 440, 450, 360, 350, 280};
  WaitingRanks two, one;
  for (std::size_t rank = 0; rank < solve.size(); ++rank) {
    two.add(solve[rank], 500 + rank % 2, 100 + 10 * rank);
    one.add(solve[rank], 0, 100 + 10 * rank);  // takes less than a hundredth of the time
  }
  const auto of_two = *two.list()[0].correlation, of_one = *one.list()[0].correlation;
  EXPECT_EQ(of_two.call, "solve");
  EXPECT_EQ(of_two.r, of_one.r);
  EXPECT_GT(of_two.chance, 1.3 * of_one.chance);
}

TEST(ReportWaits, AreNotExplainedByWhatMayBeLuck) {
  WaitingRanks ranks;
  const std::vector<std::uint64_t> solve{500, 300, 450, 200, 350, 480};
  for (std::size_t rank = 0; rank < solve.size(); ++rank)
    ranks.add(solve[rank], 500 + rank % 2, 100 + 10 * rank);
  EXPECT_FALSE(ranks.list()[0].correlation);
}

TEST(ReportWaits, AreNotExplainedByFewRanksOrByWorkThatGrowsWithThem) {
  WaitingRanks few;
  for (std::uint64_t rank = 0; rank < 3; ++rank)
    few.add(1000 - 100 * rank, 500, 10 + 100 * rank);
  EXPECT_FALSE(few.list()[0].correlation);

  WaitingRanks growing;
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    growing.add(1000 + 100 * rank, 500, 10 + 100 * rank);
  EXPECT_FALSE(growing.list()[0].correlation);
}

TEST(ReportWaits, NameThoseWhoAreWaitedForWithTheirShare) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    ranks.add(100, 100, 10);
  // Sender, receiver, messages, bytes, late sender, late receiver.
  ranks.facts().pairs.emplace() = {{3, 0, 1, 8, 75, 0}, {1, 2, 1, 8, 22, 900}, {0, 1, 1, 8, 3, 0}};
  EXPECT_THAT(ranks.list_late()[0].names, ElementsAre("rank 3 (75 %)", "rank 1 (22 %)"));

  ranks.summary().waits[0].kind = Metric::mpi_late_receiver_time;
  EXPECT_THAT(ranks.list_late()[0].names, ElementsAre("rank 2 (100 %)"));

  ranks.facts().pairs.reset();
  EXPECT_THAT(ranks.list_late(), IsEmpty()) << "not known";
}

TEST(ReportWaits, NameWhoComesLastToOperationsOfAll) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    ranks.add(100, 100, 10);
  ranks.summary().waits[0].kind = Metric::mpi_wait_at_nxn_time;
  ranks.facts().caused[Metric::mpi_wait_at_nxn_time] = {0, 0, 50, 50};
  EXPECT_THAT(ranks.list_late()[0].names, ElementsAre("rank 2 (50 %)", "rank 3 (50 %)"));
}

TEST(ReportWaits, NameTheFirstOfManyWhoAreWaitedForAlike) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 30; ++rank)
    ranks.add(100, 100, 10);
  ranks.summary().waits[0].kind = Metric::mpi_wait_at_nxn_time;
  ranks.facts().caused[Metric::mpi_wait_at_nxn_time].assign(30, 10);
  ranks.facts().caused[Metric::mpi_wait_at_nxn_time][7] = 12;
  EXPECT_THAT(ranks.list_late()[0].names, ElementsAre("rank 7 (4 %)"));
  EXPECT_TRUE(ranks.list_late()[0].is_spread);
}

TEST(ReportWaits, AreKnownByGroup) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    ranks.add(100, 100, 10 + rank);
  Report report;
  report.groups.resize(2);
  report.group_of = {0, 1, 0, 0};
  report.waits = ranks.list();
  add_group_waits(ranks.facts(), ranks.summary(), report);
  EXPECT_THAT(report.group_waiting, ElementsAre(35, 11));
  EXPECT_THAT(report.waits[0].group_seconds, ElementsAre(35, 11));

  ranks.summary().waits[0].call.caller = "other";
  report.waits = ranks.list();
  add_group_waits(ranks.facts(), ranks.summary(), report);
  EXPECT_THAT(report.group_waiting, ElementsAre(35, 11));
  EXPECT_THAT(report.waits[0].group_seconds, ElementsAre(0, 0));
}

TEST(ReportWaits, AreAllListedButExplainedOnlyWhereTheyAreLong) {
  WaitingRanks ranks;
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    ranks.add(1000 - 100 * rank, 500, 10 + 100 * rank);
  ranks.summary().waits.assign(13, ranks.summary().waits[0]);
  const auto waits = ranks.list();
  ASSERT_EQ(waits.size(), 13u);
  EXPECT_TRUE(waits[11].correlation);
  EXPECT_FALSE(waits[12].correlation);
}

}  // namespace

}  // namespace tracefold::report_waits_test
