// What made processes late that others waited for, of traces in which that is known.
#include "pipeline/delays/find_delays.hpp"

#include "model/plan.hpp"
#include "pipeline/delays/time_line.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "tests/support/mpi_program.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold::find_delays_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MpiProgram;
using ::testing::Pair;
using testing::record;
using testing::TraceBuilder;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t world = TraceBuilder::world, tag = 1;

// Process, function, whether it was passed on, and ticks.
using Delay = std::tuple<std::size_t, std::string, bool, std::uint64_t>;

std::vector<Delay> list_delays(const ProgramProfiles& program,
                               const std::vector<ProgramDelay>& delays,
                               std::uint64_t DelayTimes::*ticks) {
  std::vector<Delay> out;
  for (const auto& delay : delays) {
    const auto function =
        delay.path
            ? program.calls.functions[program.calls.profiles.paths[*delay.path].function].name
            : std::string("?");
    if (delay.own.*ticks > 0)
      out.emplace_back(delay.process, function, false, delay.own.*ticks);
    if (delay.passed.*ticks > 0)
      out.emplace_back(delay.process, function, true, delay.passed.*ticks);
  }
  return out;
}

std::vector<Delay> find(TraceBuilder& trace, std::uint64_t DelayTimes::*ticks) {
  const auto plan = record(trace);
  return list_delays(*plan.program, plan.program->delays, ticks);
}

TEST(FindDelays, ChargesALateSenderByWhatItDidLonger) {
  MpiProgram of(2);
  of.call(0, "slow", 0, 80);
  of.call(0, "alike", 80, 100);
  of.send(0, 1, 100, 102);
  of.call(1, "slow", 0, 10);
  of.call(1, "alike", 10, 30);
  of.receive(1, 0, 30, 103);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              ElementsAre(Delay{0, "slow", false, 70}));
}

TEST(FindDelays, DividesBetweenTwoEqualCauses) {
  MpiProgram of(2);
  of.call(0, "a", 0, 30);
  of.call(0, "b", 30, 60);
  of.send(0, 1, 60, 61);
  of.receive(1, 0, 0, 62);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "a", false, 30}, Delay{0, "b", false, 30}));
}

// Process 1 is late for 2 since it waited for 0.
TEST(FindDelays, PassesOnWhatALateSenderWaitedItself) {
  MpiProgram of(3);
  of.call(0, "work", 0, 50);
  of.send(0, 1, 50, 51);
  of.receive(1, 0, 0, 50);
  of.call(1, "work", 50, 60);
  of.send(1, 2, 60, 61);
  of.receive(2, 1, 0, 62);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "work", false, 50}, Delay{0, "work", true, 50},
                                   Delay{1, "work", false, 10}));
}

// However long the chain is.
TEST(FindDelays, PassesOnBackToTheFirst) {
  MpiProgram of(5);
  of.call(0, "work", 0, 50);
  for (std::uint64_t p = 0; p < 4; ++p) {
    of.send(p, p + 1, 50 + p, 51 + p);
    of.receive(p + 1, p, 0, 51 + p);
  }
  const auto delays = find(of.end(200), &DelayTimes::late_sender);
  std::map<std::size_t, std::uint64_t> charged;
  for (const auto& [process, function, is_passed, ticks] : delays)
    if (function == "work")
      charged[process] += ticks;
  EXPECT_THAT(charged, ElementsAre(Pair(0, 4 * 50)));
}

TEST(FindDelays, PassesOnFromOneKindOfWaitingToAnother) {
  MpiProgram of(3);
  of.call(0, "work", 0, 50);
  of.send(0, 1, 50, 51);
  of.receive(1, 0, 0, 51);
  of.call(1, "work", 51, 60);
  of.barrier(0, 51, 61);
  of.barrier(1, 60, 61);
  of.barrier(2, 0, 61);
  EXPECT_THAT(find(of.end(200), &DelayTimes::collective),
              UnorderedElementsAre(Delay{0, "work", true, 50}, Delay{1, "work", false, 9 + 9},
                                   Delay{1, "MPI_Recv", false, 1}));
}

// Both waited as long for process 0: that is no delay of process 1.
TEST(FindDelays, LeavesOutWaitingThatBothHad) {
  MpiProgram of(3);
  of.call(0, "work", 0, 50);
  of.send(0, 1, 50, 50);
  of.send(0, 2, 50, 50);
  of.receive(1, 0, 0, 50);
  of.receive(2, 0, 0, 50);
  of.call(1, "slow", 50, 90);
  of.send(1, 2, 90, 91);
  of.receive(2, 1, 50, 92);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "work", false, 100}, Delay{1, "slow", false, 40}));
}

TEST(FindDelays, LooksNoFurtherBackThanTheLastWaitOfTheTwo) {
  MpiProgram of(2);
  of.call(0, "before", 0, 40);
  of.send(0, 1, 40, 41);
  of.receive(1, 0, 0, 41);
  of.call(0, "after", 41, 61);
  of.send(0, 1, 61, 62);
  of.receive(1, 0, 41, 62);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "before", false, 40}, Delay{0, "after", false, 20}));
}

// A call of no length is left when it is entered.
TEST(FindDelays, CountsFromTheEndOfCallsWithoutLength) {
  MpiProgram of(2);
  of.call(0, "before", 0, 40);
  of.send(0, 1, 40, 40);
  of.receive(1, 0, 0, 40);
  of.call(0, "after", 40, 61);
  of.send(0, 1, 61, 61);
  of.receive(1, 0, 40, 62);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "before", false, 40}, Delay{0, "after", false, 21}));
}

// The message to the late one was there already, so that both were not together there.
TEST(FindDelays, LooksBackBeyondMessagesThatNobodyWaitsFor) {
  MpiProgram of(2);
  of.call(0, "slow", 0, 70);
  of.send(1, 0, 0, 1);
  of.receive(0, 1, 70, 71);
  of.send(0, 1, 71, 72);
  of.receive(1, 0, 1, 73);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              UnorderedElementsAre(Delay{0, "slow", false, 69}, Delay{0, "MPI_Recv", false, 1}));
}

TEST(FindDelays, ChargesTheLastAtABarrierSinceTheOneBefore) {
  MpiProgram of(3);
  for (std::uint64_t p = 0; p < 3; ++p) {
    of.call(p, "uneven", 0, 10 * (p + 1));
    of.barrier(p, 10 * (p + 1), 31);
    of.call(p, "solve", 31, p == 1 ? 91 : 41);
    of.barrier(p, p == 1 ? 91 : 41, 92);
  }
  EXPECT_THAT(find(of.end(200), &DelayTimes::collective),
              UnorderedElementsAre(Delay{1, "solve", false, 100}, Delay{2, "uneven", false, 30}));
}

// Two that both waited for a third one in a barrier have been together there.
TEST(FindDelays, CountsFromBarriersInWhichBothWaited) {
  MpiProgram of(3);
  of.call(0, "first", 0, 20);
  of.call(2, "last", 0, 50);
  for (std::uint64_t p = 0; p < 3; ++p)
    of.barrier(p, p == 0 ? 20 : p == 1 ? 0 : 50, 51);
  of.call(0, "second", 51, 61);
  of.send(0, 1, 61, 62);
  of.receive(1, 0, 51, 63);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              ElementsAre(Delay{0, "second", false, 10}));
}

TEST(FindDelays, ChargesTheLateRootOfABroadcast) {
  MpiProgram of(3);
  of.call(1, "prepare", 0, 40);
  for (std::uint64_t p = 0; p < 3; ++p)
    of.collective(p, "MPI_Bcast", otf2_value::collective_bcast, p == 1 ? 40 : 5 * p, 41, 1);
  EXPECT_THAT(find(of.end(200), &DelayTimes::collective),
              ElementsAre(Delay{1, "prepare", false, 40 + 30}));
}

TEST(FindDelays, ChargesALateReceiver) {
  MpiProgram of(2);
  of.call(1, "slow", 0, 60);
  of.send(0, 1, 0, 62);
  of.receive(1, 0, 60, 63);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_receiver),
              ElementsAre(Delay{1, "slow", false, 60}));
}

TEST(FindDelays, BeginsAtTheEndOfInit) {
  MpiProgram of(2);
  of.call(0, "read", 0, 5);
  of.call(0, "MPI_Init", 5, 50);
  of.call(1, "MPI_Init", 0, 50);
  of.call(0, "work", 50, 60);
  of.send(0, 1, 60, 61);
  of.receive(1, 0, 50, 62);
  EXPECT_THAT(find(of.end(200), &DelayTimes::late_sender),
              ElementsAre(Delay{0, "work", false, 10}));
}

// Ranks are threads of one location group here.
TEST(FindDelays, TellsRanksThatAreThreadsApart) {
  TraceBuilder trace;
  trace.add_location_group(0, {0, 1}).add_world({0, 1});
  std::uint64_t id = 0;
  for (const auto* name : {"main", "slow", "MPI_Send", "MPI_Recv"})
    trace.add_region(id++, name);
  trace.record(0, Enter, 0, {0}).record(0, Enter, 0, {1}).record(0, Leave, 30, {1});
  trace.record(0, Enter, 30, {2}).record(0, MpiSend, 30, {1, world, tag, 8});
  trace.record(0, Leave, 31, {2}).record(0, Leave, 50, {0});
  trace.record(1, Enter, 0, {0})
      .record(1, Enter, 0, {3})
      .record(1, MpiRecv, 32, {0, world, tag, 8});
  trace.record(1, Leave, 32, {3}).record(1, Leave, 50, {0});
  EXPECT_THAT(find(trace, &DelayTimes::late_sender), ElementsAre(Delay{0, "slow", false, 30}));
}

TEST(FindDelays, FindsNothingWhereMessagesAreNotMatched) {
  MpiProgram of(2);
  of.call(0, "slow", 0, 60);
  of.receive(1, 0, 0, 63);  // nobody sent it
  EXPECT_THAT(record(of.end(200)).program->delays, IsEmpty());
}

TEST(FindDelays, AddUpToWhatWasWaited) {
  MpiProgram of(4);
  std::uint64_t time = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    for (std::uint64_t p = 0; p < 4; ++p) {
      const auto work = 1 + (k * 7 + p * 13) % 29;
      of.call(p, k % 3 == p % 3 ? "a" : "b", time, time + work);
      of.barrier(p, time + work, time + 40);
    }
    time += 40;
  }
  const auto plan = record(of.end(time));
  std::uint64_t charged = 0, waited = 0;
  for (const auto& delay : plan.program->delays)
    charged += delay.own.collective + delay.passed.collective;
  for (auto ticks : plan.program->caused.at(Metric::mpi_wait_at_barrier_time))
    waited += ticks;
  EXPECT_GT(waited, 1000u);
  EXPECT_EQ(charged, waited);
}

class StoredDelays : public ::testing::Test {
 protected:
  StoredDelays() {
    MpiProgram of(3);
    of.call(0, "work", 0, 50);
    of.send(0, 1, 50, 51);
    of.receive(1, 0, 0, 50);
    of.call(1, "work", 50, 60);
    of.send(1, 2, 60, 61);
    of.receive(2, 1, 0, 62);
    plan_ = record(of.end(200));
  }

  Plan plan_;
};

TEST_F(StoredDelays, AreReadAsTheyWere) {
  const StoredProgram stored(pack_program(plan_, ~std::uint64_t{0})->bytes);
  stored.check();
  ASSERT_FALSE(plan_.program->delays.empty());
  EXPECT_EQ(stored.read_delays(), plan_.program->delays);
}

TEST_F(StoredDelays, AreNotKnownOnceWhoWaitedIsGone) {
  const StoredProgram stored(pack_program(plan_, ~std::uint64_t{0})->bytes);
  const StoredProgram cut(cut_program(stored, {0, 1}));
  cut.check();
  EXPECT_EQ(cut.read_delays(), std::nullopt);
}

TEST_F(StoredDelays, AreLeftOutBeforePairs) {
  const auto all = pack_program(plan_, ~std::uint64_t{0});
  const auto unplayed = pack_program(plan_, all->bytes.size() - 1);
  ASSERT_TRUE(unplayed);
  EXPECT_TRUE(StoredProgram(unplayed->bytes).read_delays()) << "sequences are left out first";
  const auto less = pack_program(plan_, unplayed->bytes.size() - 1);
  ASSERT_TRUE(less);
  const StoredProgram stored(less->bytes);
  EXPECT_EQ(stored.read_delays(), std::nullopt);
  EXPECT_TRUE(stored.read_pairs());
}

// Sums of any interval are those of its segments.
TEST(TimeLine, SumsAnyInterval) {
  constexpr std::uint64_t calls = 5'000;
  CallTimesRecorder recorder;
  std::vector<std::uint64_t> ends;
  std::vector<std::pair<PathIndex, std::uint64_t>> times;
  const Definitions definitions;
  std::uint64_t now = 0;
  const auto spend = [&](PathIndex path, std::uint64_t ticks) {
    recorder.spend(path, ticks);
    now += ticks;
    ends.push_back(now);
    times.emplace_back(path, ticks);
  };
  for (std::uint64_t k = 0; k < calls; ++k) {
    spend(static_cast<PathIndex>(1 + k % 7), 1 + k % 11);
    recorder.enter_mpi(now);
    recorder.add(testing::make_event(MpiSend), definitions, 0);
    spend(8, 1 + k % 3);
    recorder.leave_mpi(now);
  }
  std::vector<PathIndex> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const TimeLine line(recorder.take().segments, numbers);

  for (std::size_t first = 0; first < ends.size(); first += 997)
    for (std::size_t last = first; last < ends.size(); last += 1'231) {
      PartTimes found, expected;
      line.sum(ends[first], ends[last], found);
      for (auto k = first + 1; k <= last; ++k)
        expected.add(number_part(times[k].first, false), times[k].second);
      for (PathIndex path = 0; path < 9; ++path)
        EXPECT_EQ(found[number_part(path, false)], expected[number_part(path, false)])
            << first << "-" << last;
    }
  EXPECT_EQ(line.find_end_of_call(ends[2'000]), ends[2'001]);
}

}  // namespace tracefold::find_delays_test
