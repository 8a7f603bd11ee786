#include "filters/messages/report_waiting.hpp"

#include <gmock/gmock.h>

namespace tracefold::report_waiting_test {

using ::testing::ElementsAre;
using Kind = WaitingCause::Kind;

// main calls solve and MPI_Recv.
RankPairs make_pairs() {
  RankPairs out;
  out.pairs = {{0, 1, 1, 8, 500, 0}, {1, 2, 1, 8, 1'000, 250}};
  out.ranks = {0, 1, 2};
  out.ticks_per_second = 1'000;
  out.names = {"rank 0", "rank 1", "rank 2"};
  out.paths = {{no_path, 0}, {0, 1}, {0, 2}};
  out.functions = {"main", "solve", "MPI_Recv"};
  out.time_metrics = {Metric::execution_time, Metric::execution_time,
                      Metric::mpi_point_to_point_time};
  out.caused = {{Metric::mpi_wait_at_barrier_time, {0, 100, 300}},
                {Metric::mpi_wait_at_nxn_time, {0, 0, 0}}};
  out.delays = {{{0, 1, {500, 0, 0}, {}},
                 {1, 2, {0, 0, 100}, {800, 0, 0}},
                 {1, std::nullopt, {200, 0, 0}, {}},
                 {2, 1, {0, 250, 300}, {}}}};
  return out;
}

TEST(ReportWaiting, AddsUpWhatIsWaitedFor) {
  const auto report = report_waiting(make_pairs());
  EXPECT_EQ(report.late_sender, (WaitingReport::WaitTotal{1.5, 0.8, 0.5}));
  EXPECT_EQ(report.late_receiver, (WaitingReport::WaitTotal{0.25, 0, 0.25}));
  EXPECT_EQ(report.collective, (WaitingReport::WaitTotal{0.4, 0, 0.3}));
  EXPECT_EQ(report.collectives,
            (std::vector<LastInCollectives>{
                {Metric::mpi_wait_at_barrier_time, 0.4, {{"rank 2", 0.3}, {"rank 1", 0.1}}}}));
}

TEST(ReportWaiting, OrdersLateProcessesAndTheirCauses) {
  const auto report = report_waiting(make_pairs());
  ASSERT_EQ(report.processes.size(), 3u);
  EXPECT_EQ(report.processes[0],
            (LateProcess{1,
                         "rank 1",
                         1.1,
                         0.8,
                         {{Kind::other, "MPI_Recv", "main", 0.9}, {Kind::unknown, "", "", 0.2}}}));
  EXPECT_EQ(report.processes[1].name, "rank 2");
  EXPECT_THAT(report.processes[1].causes,
              ElementsAre(WaitingCause{Kind::computation, "solve", "main", 0.55}));
  EXPECT_EQ(report.causes.front(), (WaitingCause{Kind::computation, "solve", "main", 1.05}));
}

TEST(ReportWaiting, SaysWhatIsNotKnown) {
  auto pairs = make_pairs();
  pairs.caused.reset();
  pairs.delays.reset();
  const auto report = report_waiting(pairs);
  EXPECT_FALSE(report.knows_collectives);
  EXPECT_FALSE(report.knows_delays);
  EXPECT_TRUE(report.processes.empty());
  EXPECT_EQ(report.late_sender.seconds, 1.5);
}

}  // namespace tracefold::report_waiting_test
