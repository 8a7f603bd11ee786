#include "emitters/messages/waiting_formats.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::waiting_formats_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Kind = WaitingCause::Kind;

WaitingReport make_report() {
  WaitingReport out;
  out.late_sender = {2, 1.5, 0.4};
  out.collective = {1, 0};
  out.knows_collectives = out.knows_delays = true;
  out.collectives = {{Metric::mpi_wait_at_barrier_time,
                      1,
                      {{"rank 3", 0.5}, {"rank 0", 0.25}, {"rank 1", 0.125}, {"rank 2", 0.125}}}};
  out.processes = {
      {3,
       "rank 3",
       2,
       0.5,
       {{Kind::computation, "solve", "main", 1.5}, {Kind::other, "MPI_Recv", "main", 0.5}}},
      {1,
       "rank 1",
       0.9,
       0.5,
       {{Kind::other, "MPI_Recv", "", 0.4}, {Kind::other, "MPI_Send", "", 0.3}}},
      {0, "rank 0", 0.1, 0, {{Kind::unknown, "", "", 0.1}}}};
  return out;
}

TEST(WaitingFormats, SaysWhatALateProcessDid) {
  const auto report = make_report();
  EXPECT_EQ(describe_late_process(report.processes[0]),
            "rank 3 makes others wait 2.00 s, mostly by computing in solve (called by main): 75 %");
  EXPECT_EQ(describe_late_process(report.processes[1]),
            "rank 1 makes others wait 900 ms, most of all in MPI_Recv: 44 %");
  EXPECT_EQ(describe_late_process(report.processes[2]),
            "rank 0 makes others wait 100 ms, mostly by what is not known: 100 %");
  EXPECT_EQ(describe_late_process({3, "rank 3", 2, 0, {}}), "rank 3 makes others wait 2.00 s");
  EXPECT_EQ(describe_late_process({3, "rank 3", 2, 0, {{Kind::computation, "main", "", 0.4}}}),
            "rank 3 makes others wait 2.00 s");
  // A reduced trace may have a little more or less than half.
  for (const auto half : {0.999, 1.0, 1.001})
    EXPECT_THAT(describe_late_process({3, "rank 3", 2, 0, {{Kind::other, "MPI_Send", "", half}}}),
                HasSubstr("most of all in MPI_Send: 50 %"));
}

TEST(WaitingFormats, SaysThatAPipelineWaits) {
  auto report = make_report();
  EXPECT_EQ(describe_chain(report),
            "75 % of the waiting for late senders is a chain: the late sender was itself waiting");
  report.late_sender = {2, 0.8, 0.9};
  EXPECT_EQ(describe_chain(report), "");
  report.late_sender = {2, 0.4, 0};
  EXPECT_EQ(describe_chain(report), "");
  report.late_sender = {};
  EXPECT_EQ(describe_chain(report), "");
}

// Who causes less than a twentieth is not said.
TEST(WaitingFormats, SaysTheWorstFirst) {
  const auto report = make_report();
  EXPECT_THAT(
      describe_waiting(report),
      ElementsAre(HasSubstr("is a chain"), HasSubstr("rank 3 makes"), HasSubstr("rank 1 makes")));
  EXPECT_THAT(describe_waiting(report, 1),
              ElementsAre(HasSubstr("is a chain"), HasSubstr("rank 3")));
  EXPECT_THAT(describe_waiting(report, 5, 1.0),
              ElementsAre(HasSubstr("is a chain"), HasSubstr("rank 3")));
  EXPECT_THAT(describe_waiting(report, 5, 2.5), IsEmpty());
  EXPECT_THAT(describe_waiting({}), IsEmpty());
}

TEST(WaitingFormats, TableNamesThoseThatComeLast) {
  auto report = make_report();
  const auto table = to_table(report);
  EXPECT_THAT(table, HasSubstr("barriers"));
  EXPECT_THAT(table, HasSubstr("rank 3 500 ms, rank 0 250 ms, rank 1 125 ms, 1 more"));
  EXPECT_THAT(table, Not(HasSubstr("not known")));

  report.unknown_collectives = {Metric::mpi_wait_at_nxn_time};
  EXPECT_THAT(to_table(report),
              HasSubstr("who comes last in operations of all to all is not known"));
  EXPECT_EQ(waiting_to_json(report)["unknown_collective_operations"][0], "MPI wait-at-NxN time");

  report.unknown_collectives.clear();
  report.knows_collectives = report.knows_delays = false;
  report.collectives.clear();
  report.processes.clear();
  EXPECT_THAT(to_table(report), HasSubstr("who comes last in collective operations is not known"));
  EXPECT_THAT(to_table(report), HasSubstr("what made processes late is not known"));
}

TEST(WaitingFormats, JsonHoldsAllCauses) {
  const auto read = waiting_to_json(make_report());
  EXPECT_EQ(read["late_senders"]["passed_on_seconds"], 1.5);
  EXPECT_EQ(read["collective_operations"]["kinds"][0]["last"].size(), 4u);
  EXPECT_EQ(read["late_processes"].size(), 3u);
  EXPECT_EQ(read["late_processes"][0]["causes"][0]["function"], "solve");
  EXPECT_EQ(read["late_processes"][0]["causes"][1]["by"], "other");

  WaitingReport unknown;
  EXPECT_FALSE(waiting_to_json(unknown).contains("late_processes"));
  EXPECT_FALSE(waiting_to_json(unknown).contains("collective_operations"));
}

}  // namespace tracefold::waiting_formats_test
