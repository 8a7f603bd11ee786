#include "filters/summary/measure_run.hpp"

#include "otf2/otf2_values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tracefold::measure_run_test {

TEST(ComputeEfficiencies, AreThoseOfTheDefinition) {
  std::optional<double> ideal;
  // Runtime 10; rank 0 computes 8 and transfers 1, rank 1 computes 4 and transfers 2.
  const auto found = compute_efficiencies({{8, 1}, {4, 2}}, 10, {true}, &ideal);
  EXPECT_DOUBLE_EQ(*found.load_balance, 6.0 / 8);
  EXPECT_DOUBLE_EQ(*found.communication, 0.8);
  EXPECT_DOUBLE_EQ(*found.parallel, 0.6);
  EXPECT_DOUBLE_EQ(*ideal, 9);
  EXPECT_DOUBLE_EQ(*found.transfer, 0.9);
  EXPECT_DOUBLE_EQ(*found.serialisation, 8.0 / 9);
}

TEST(ComputeEfficiencies, DoesNotCountIoAsUseful) {
  // One rank writes while the other one waits.
  const auto found = compute_efficiencies({{2, 0, 3}, {2, 0, 0}}, 5, {true});
  EXPECT_DOUBLE_EQ(*found.load_balance, 3.5 / 5);
  EXPECT_DOUBLE_EQ(*found.communication, 1);
  EXPECT_DOUBLE_EQ(*found.io, 4.0 / 7);
  EXPECT_DOUBLE_EQ(*found.parallel, 0.4);
  EXPECT_DOUBLE_EQ(*found.parallel,
                   *found.load_balance * *found.serialisation * *found.transfer * *found.io);
  EXPECT_FALSE(compute_efficiencies({{2, 0, 0}}, 5, {true}).io.has_value()) << "nobody does I/O";
}

TEST(ComputeEfficiencies, MultiplyToOneAnother) {
  const auto found = compute_efficiencies({{3, 0.5}, {5, 2}, {4, 0.25}}, 7, {true});
  EXPECT_NEAR(*found.parallel, *found.load_balance * *found.communication, 1e-12);
  EXPECT_NEAR(*found.communication, *found.serialisation * *found.transfer, 1e-12);
}

TEST(ComputeEfficiencies, AreNotKnownApartWithoutTimesOfWaiting) {
  const auto found = compute_efficiencies({{8, 1}, {4, 2}}, 10, {false});
  EXPECT_TRUE(found.communication.has_value());
  EXPECT_FALSE(found.serialisation.has_value());
  EXPECT_FALSE(found.transfer.has_value());
}

TEST(ComputeEfficiencies, AreNoneWithoutATime) {
  EXPECT_FALSE(compute_efficiencies({}, 10, {true}).parallel.has_value());
  EXPECT_FALSE(compute_efficiencies({{0, 0}}, 0, {true}).parallel.has_value());
  EXPECT_FALSE(compute_efficiencies({{0, 1}}, 10, {true}).load_balance.has_value());
}

TEST(ComputeEfficiencies, CountRanksThatBeginLaterFromThenOn) {
  // Both compute 80 % of the time in which they are there.
  const auto found = compute_efficiencies({{8, 1}, {3.2, 0.4, 0, 0, 4.0}}, 10, {true});
  EXPECT_DOUBLE_EQ(*found.parallel, 0.8);
  EXPECT_DOUBLE_EQ(*found.load_balance, 1);
  EXPECT_DOUBLE_EQ(*found.transfer, 0.9);
}

// Ranks with threads that call `main`, of which some call MPI_Recv, and waited in it.
class MadeRun {
 public:
  MadeRun() {
    auto& calls = facts_.calls;
    calls.functions = {{"main", "", ""},
                       {"MPI_Recv", "", ""},
                       {"!$omp parallel @a.c:1", "", ""},
                       {"kernel", "", ""}};
    calls.time_metrics = {Metric::execution_time, Metric::mpi_point_to_point_time,
                          Metric::execution_time, Metric::execution_time};
    calls.profiles.paths = {{}, {0, 0}, {1, 1}, {1, 2}, {3, 3}};
    calls.profiles.shapes = {{{0, 1, 2, 3, 4}, {no_path, 0, 1, 1, 3}}};
    calls.profiles.columns.measured = {Metric::execution_time, Metric::mpi_point_to_point_time,
                                       Metric::mpi_late_sender_time, Metric::visits,
                                       Metric::receives};
    facts_.ticks_per_second = 1;
    facts_.spans.emplace_back();
  }

  struct Times {
    std::uint64_t main = 0, recv = 0, waiting = 0, kernel = 0;
  };
  void add(std::uint64_t rank, std::uint64_t thread, Interval span, Times times) {
    Process process;
    process.id = facts_.processes.size();
    process.rank = rank;
    process.thread = thread;
    process.is_mpi_endpoint = thread == 0;
    process.events = 2;
    facts_.processes.push_back(process);
    facts_.types.push_back(otf2_value::location_type_cpu);
    facts_.nodes.emplace_back("machine/node");
    facts_.spans[0].push_back(span);
    const std::uint64_t receives = times.recv > 0;
    facts_.calls.profiles.processes.push_back({0,
                                               {0,
                                                0,
                                                0,
                                                0,
                                                0,  // no call
                                                times.main,
                                                0,
                                                0,
                                                1,
                                                0,  // main
                                                times.recv,
                                                times.recv,
                                                times.waiting,
                                                receives,
                                                receives,  // MPI_Recv
                                                0,
                                                0,
                                                0,
                                                0,
                                                0,  // the region
                                                times.kernel,
                                                0,
                                                0,
                                                1,
                                                0},
                                               {}});
  }
  RunFacts& facts() { return facts_; }

 private:
  RunFacts facts_;
};

TEST(MeasureRun, TakesRuntimeFromTheFirstBeginToTheLastEnd) {
  MadeRun run;
  run.add(0, 0, {100, 110}, {8, 2, 1, 0});
  run.add(1, 0, {102, 112}, {4, 6, 5, 0});
  const auto found = measure_run(run.facts());
  EXPECT_DOUBLE_EQ(found.runtime, 12);
  EXPECT_DOUBLE_EQ(*found.efficiencies.load_balance, 6.0 / 8);
  EXPECT_DOUBLE_EQ(*found.efficiencies.communication, 8.0 / 12);
  EXPECT_DOUBLE_EQ(*found.efficiencies.transfer, 11.0 / 12);
}

TEST(MeasureRun, TakesRuntimeOfOtherThreadsWhereMastersHaveNothing) {
  MadeRun run;
  run.add(0, 0, {0, 0}, {0, 0, 0, 0});
  run.add(0, 1, {5, 25}, {20, 0, 0, 0});
  EXPECT_DOUBLE_EQ(measure_run(run.facts()).runtime, 20);
}

TEST(MeasureRun, GivesNoTimeToMastersWithoutCalls) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {0, 0, 0, 0});
  run.add(0, 1, {5, 25}, {20, 0, 0, 0});
  auto& profiles = run.facts().calls.profiles;
  profiles.shapes.emplace_back();
  profiles.processes[0] = {1, {}, {}};
  const auto found = measure_run(run.facts());
  EXPECT_EQ(found.ranks[0].computation, (std::vector<double>{0, 20}));
}

TEST(MeasureRun, CountsTimeInNoCallAsUseful) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {1, 2, 0, 0});
  const auto found = measure_run(run.facts());
  EXPECT_DOUBLE_EQ(found.ranks[0].useful, 8);
}

TEST(MeasureRun, BalancesLoadByMasterThreads) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {4, 0, 0, 6});
  run.add(0, 1, {0, 10}, {0, 0, 0, 6});
  run.add(1, 0, {0, 10}, {3, 1, 1, 6});
  run.add(1, 1, {0, 10}, {0, 0, 0, 3});
  const auto found = measure_run(run.facts());
  EXPECT_DOUBLE_EQ(*found.efficiencies.load_balance, 9.5 / 10);
  // 10 + 6 + 9 + 3 of 2 × (10 + 9).
  EXPECT_DOUBLE_EQ(*found.efficiencies.threads, 28.0 / 38);
  EXPECT_DOUBLE_EQ(*found.efficiencies.hybrid,
                   *found.efficiencies.threads * *found.efficiencies.parallel);
  EXPECT_DOUBLE_EQ(found.ranks[0].serial, 4);
}

TEST(MeasureRun, ClipsWaitingToTheCall) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {5, 5, 8, 0});
  const auto found = measure_run(run.facts());
  EXPECT_DOUBLE_EQ(*found.ranks[0].waiting, 5);
  EXPECT_DOUBLE_EQ(*found.efficiencies.transfer, 1);
}

TEST(MeasureRun, DoesNotKnowWaitingWhereNoMessagesWereRecorded) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {5, 5, 0, 0});
  auto& values = run.facts().calls.profiles.processes[0].values;
  values[14] = 0;  // receives
  const auto found = measure_run(run.facts());
  EXPECT_FALSE(found.efficiencies.transfer.has_value());
  EXPECT_FALSE(found.ranks[0].waiting.has_value());
  EXPECT_TRUE(found.waits.empty());
}

TEST(MeasureRun, HasNoEfficienciesOfMpiWithoutIt) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {10, 0, 0, 0});
  auto& metrics = run.facts().calls.time_metrics;
  std::fill(metrics.begin(), metrics.end(), Metric::execution_time);
  const auto found = measure_run(run.facts());
  EXPECT_FALSE(found.has_mpi);
  EXPECT_FALSE(found.efficiencies.parallel.has_value());
  EXPECT_FALSE(found.efficiencies.threads.has_value());
}

TEST(MeasureRun, AveragesWhatStreamsComputeOverThoseThatRecordAnything) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {8, 2, 1, 0});
  EXPECT_FALSE(measure_run(run.facts()).efficiencies.accelerator.has_value());
  for (std::uint64_t kernel : {8, 2, 0}) {
    run.add(0, 1, {0, 0}, {0, 0, 0, kernel});
    run.facts().types.back() = otf2_value::location_type_accelerator;
  }
  run.facts().processes.back().events = 0;
  const auto found = measure_run(run.facts());
  EXPECT_DOUBLE_EQ(*found.efficiencies.accelerator, 0.5);
  EXPECT_EQ(found.streams, 3u);
  EXPECT_EQ(found.recording_streams, 2u);
}

TEST(MeasureRun, NamesCallsWithTheirCallers) {
  MadeRun run;
  run.add(0, 0, {0, 10}, {5, 5, 4, 0});
  const auto found = measure_run(run.facts());
  ASSERT_EQ(found.waits.size(), 1u);
  EXPECT_EQ(found.waits[0].call.function, "MPI_Recv");
  EXPECT_EQ(found.waits[0].call.caller, "main");
  EXPECT_EQ(found.waits[0].kind, Metric::mpi_late_sender_time);
}

TEST(MeasureRun, KnowsNoWaitingWhereClocksDoNotFit) {
  for (const std::uint64_t early : {1u, 2u}) {
    MadeRun run;
    run.add(0, 0, {100, 110}, {8, 2, 1, 0});
    run.add(1, 0, {100, 110}, {4, 6, 5, 0});
    run.facts().early_messages = {early, 100};
    const auto found = measure_run(run.facts());
    EXPECT_EQ(found.efficiencies.serialisation.has_value(), early == 1);
    EXPECT_EQ(found.waits.empty(), early != 1);
  }
}

TEST(MeasureRun, LeavesRanksOutWhoseRecordsEndEarly) {
  MadeRun run;
  run.add(0, 0, {100, 110}, {10, 0, 0, 0});
  run.add(1, 0, {100, 102}, {2, 0, 0, 0});
  run.facts().early_ends = {{1}, 0.2, 0.2, true};
  const auto found = measure_run(run.facts());
  ASSERT_EQ(found.ranks.size(), 1u);
  EXPECT_EQ(found.ranks[0].master, 0u);
}

}  // namespace tracefold::measure_run_test
