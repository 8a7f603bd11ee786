// What runs take when they are played again, and their critical paths, of traces in which that is
// known.
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "tests/support/mpi_program.hpp"

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <vector>

namespace tracefold::replay_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MpiProgram;
using testing::record;
using testing::TraceBuilder;
using ::testing::UnorderedElementsAre;

// Process, function, ticks.
using OnPath = std::tuple<std::size_t, std::string, std::uint64_t>;

struct Found {
  std::uint64_t recorded = 0, ideal = 0, length = 0, network = 0;
  std::vector<OnPath> path;
};

Found play(TraceBuilder& trace) {
  const auto plan = record(trace);
  Found out;
  if (plan.program->replays.size() != 1)
    return out;
  const auto& replay = plan.program->replays.front();
  const auto& calls = plan.program->calls;
  out = {
      replay.recorded, replay.ideal, replay.critical_path.length, replay.critical_path.network, {}};
  for (const auto& [process, path, ticks] : replay.critical_path.times)
    out.path.emplace_back(process, calls.functions[calls.profiles.paths.at(path - 1).function].name,
                          ticks);
  return out;
}

// Rank 0 waits for a message of rank 1, which takes 3 ticks.
TEST(Replay, OfALateSender) {
  MpiProgram of(2);
  of.call(1, "work", 0, 100);
  of.send(1, 0, 100, 102);
  of.call(0, "work", 0, 30);
  of.receive(0, 1, 30, 103);
  const auto found = play(of.end(200));
  EXPECT_EQ(found.recorded, 200);
  EXPECT_EQ(found.ideal, 198) << "the message takes no time, and neither does its sending";
  EXPECT_EQ(found.length, 200);
  EXPECT_EQ(found.network, 3);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 97}, OnPath{1, "work", 100}));
}

// Nobody waits: what calls take is their own.
TEST(Replay, OfAMessageThatIsThere) {
  MpiProgram of(2);
  of.send(1, 0, 0, 5);
  of.call(0, "work", 0, 30);
  of.receive(0, 1, 30, 40);
  const auto found = play(of.end(100));
  EXPECT_EQ(found.ideal, 95) << "rank 1 is the last now, which sends in no time";
  EXPECT_EQ(found.network, 0);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 60}, OnPath{0, "work", 30},
                                               OnPath{0, "MPI_Recv", 10}));
}

// Others wait for the call that begins it, in the one that ends it.
TEST(Replay, OfAnOperationThatDoesNotBlock) {
  MpiProgram of(2);
  of.call(0, "work", 0, 30);
  of.begin_operation(0, "MPI_Iallreduce", 30, 31, 7);
  of.call(0, "more", 31, 51);
  of.wait_for_operation(0, 51, 104, otf2_value::collective_allreduce, 7);
  of.call(1, "work", 0, 100);
  of.begin_operation(1, "MPI_Iallreduce", 100, 101, 8);
  of.call(1, "more", 101, 121);
  of.wait_for_operation(1, 121, 122, otf2_value::collective_allreduce, 8);
  const auto found = play(of.end(200));
  EXPECT_EQ(found.recorded, 200);
  EXPECT_EQ(found.ideal, 198) << "of rank 1, whose two calls take nothing; rank 0 ends at 196";
  EXPECT_EQ(found.network, 4);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 96}, OnPath{1, "work", 100}));
}

TEST(Replay, IsNotOfOperationsThatEndInAnotherOrder) {
  for (const bool in_order : {true, false}) {
    MpiProgram of(2);
    for (std::uint64_t rank : {0, 1}) {
      of.begin_operation(rank, "MPI_Ibarrier", 10, 11, 1);
      of.begin_operation(rank, "MPI_Ibarrier", 20, 21, 2);
      const bool first = in_order || rank == 0;
      of.wait_for_operation(rank, 30, 35, otf2_value::collective_barrier, first ? 1 : 2);
      of.wait_for_operation(rank, 35, 40, otf2_value::collective_barrier, first ? 2 : 1);
    }
    EXPECT_EQ(play(of.end(50)).recorded, in_order ? 50 : 0);
  }
}

// Each rank leaves another one without its end: the n-th ones are not the same operation.
TEST(Replay, IsNotOfOperationsThatDoNotEnd) {
  for (const bool all_end : {true, false}) {
    MpiProgram of(2);
    for (std::uint64_t rank : {0, 1})
      for (std::uint64_t k = 0; k < 3; ++k) {
        of.begin_operation(rank, "MPI_Ibarrier", 10 * k, 10 * k + 1, k);
        if (all_end || k != rank)
          of.wait_for_operation(rank, 10 * k + 2, 10 * k + 3, otf2_value::collective_barrier, k);
      }
    EXPECT_EQ(play(of.end(50)).recorded, all_end ? 50 : 0);
  }
}

// Who waits for whose lock is not known.
TEST(Replay, IsNotOfLocks) {
  for (const auto kind : {EventKind::RmaRequestLock, EventKind::RmaPut}) {
    MpiProgram of(2);
    for (std::uint64_t rank : {0, 1}) {
      of.fence(rank, 10, 12);
      of.one_sided(rank, "MPI_Win_lock", kind, 20, 30);
    }
    EXPECT_EQ(play(of.end(50)).recorded, kind == EventKind::RmaPut ? 50 : 0);
  }
}

TEST(Replay, OfAFence) {
  MpiProgram of(2);
  of.call(0, "work", 0, 30);
  of.fence(0, 30, 104);
  of.call(1, "work", 0, 100);
  of.fence(1, 100, 104);
  const auto found = play(of.end(200));
  EXPECT_EQ(found.ideal, 196);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 96}, OnPath{1, "work", 100}));
}

TEST(Replay, OfASenderThatWaitsForItsReceiver) {
  MpiProgram of(2);
  of.send(0, 1, 0, 60);
  of.call(1, "work", 0, 50);
  of.receive(1, 0, 50, 61);
  const auto found = play(of.end(100));
  EXPECT_EQ(found.ideal, 90) << "rank 0 still waits until 50";
  EXPECT_EQ(found.network, 10);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 40}, OnPath{1, "work", 50}));
}

// The first message of 8 bytes tells that such are buffered. The second one is as long, and another
// message is what its rank waited for.
TEST(Replay, OfABufferedMessage) {
  MpiProgram of(3);
  of.send(0, 1, 0, 2);
  of.call(1, "work", 0, 50);
  of.receive(1, 0, 50, 51);
  of.call(2, "work", 0, 70);
  of.send(2, 0, 70, 71);
  of.receive(0, 2, 2, 72);
  const auto found = play(of.end(100));
  EXPECT_EQ(found.ideal, 99);
  EXPECT_EQ(found.network, 2);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 28}, OnPath{2, "work", 70}));
}

TEST(Replay, OfABarrier) {
  MpiProgram of(3);
  of.call(0, "work", 0, 10);
  of.call(1, "work", 0, 50);
  of.call(2, "work", 0, 30);
  of.barrier(0, 10, 54);
  of.barrier(1, 50, 54);
  of.barrier(2, 30, 54);
  const auto found = play(of.end(100));
  EXPECT_EQ(found.recorded, 100);
  EXPECT_EQ(found.ideal, 96);
  EXPECT_EQ(found.network, 4);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 46}, OnPath{1, "work", 50}));
}

// Only the root is waited for, and it waits for nobody.
TEST(Replay, OfABroadcast) {
  MpiProgram of(2);
  of.call(0, "work", 0, 10);
  of.call(1, "work", 0, 40);
  of.collective(0, "MPI_Bcast", otf2_value::collective_bcast, 10, 13, 0);
  of.collective(1, "MPI_Bcast", otf2_value::collective_bcast, 40, 41, 0);
  of.call(1, "more", 41, 90);
  const auto found = play(of.end(90));
  EXPECT_EQ(found.ideal, 89);
  EXPECT_EQ(found.network, 0);
  EXPECT_THAT(found.path, UnorderedElementsAre(OnPath{0, "main", 77}, OnPath{0, "work", 10},
                                               OnPath{0, "MPI_Bcast", 3}));
}

// What is waited for in a changed run is not always what was waited for in the recorded one: on the
// ideal network rank 1 is ahead of rank 2, and rank 0 waits for rank 2.
TEST(Replay, FollowsOtherWaysThanTheRecordedRun) {
  MpiProgram of(3);
  of.call(2, "work", 0, 50);
  of.barrier(0, 0, 90);
  of.barrier(2, 50, 90);
  of.call(1, "MPI_Comm_rank", 0, 80);
  of.barrier(1, 80, 90);
  EXPECT_EQ(play(of.end(100)).ideal, 60);
}

// Function (none: the network), who, and ticks.
using Gained = std::tuple<std::string, std::vector<std::size_t>, std::uint64_t>;

std::vector<Gained> find_gains(TraceBuilder& trace) {
  const auto plan = record(trace);
  const auto& calls = plan.program->calls;
  std::vector<Gained> out;
  for (const auto& gain : plan.program->replays.at(0).gains)
    out.emplace_back(
        gain.path > 0 ? calls.functions[calls.profiles.paths.at(gain.path - 1).function].name : "",
        gain.who, gain.ticks);
  return out;
}

TEST(Gains, OfAProcessThatIsLonger) {
  MpiProgram of(4);
  for (std::uint64_t p = 0; p < 4; ++p) {
    const std::uint64_t begun = p == 2 ? 30 : 10;
    of.call(p, "work", 0, begun);
    of.barrier(p, begun, 31);
  }
  EXPECT_THAT(find_gains(of.end(41)), ElementsAre(Gained{"work", {2}, 20}, Gained{"", {}, 1}));
}

// Without `a`, `b` is what the others wait for. The median of what they compute is between both.
TEST(Gains, GoNoFurtherThanWhatComesNext) {
  MpiProgram of(4);
  of.call(0, "a", 0, 40);
  of.call(1, "b", 0, 35);
  of.call(2, "c", 0, 33);
  of.call(3, "c", 0, 33);
  for (std::uint64_t p = 0; p < 4; ++p)
    of.barrier(p, p == 0 ? 40 : p == 1 ? 35 : 33, 40);
  EXPECT_THAT(find_gains(of.end(50)), ElementsAre(Gained{"a", {}, 6}, Gained{"a", {0}, 5}));
}

TEST(Gains, AreNoneWhereAllIsEven) {
  MpiProgram of(4);
  for (std::uint64_t p = 0; p < 4; ++p) {
    of.call(p, "work", 0, 100 + p % 2);
    of.barrier(p, 100 + p % 2, 101);
  }
  EXPECT_THAT(find_gains(of.end(200)), IsEmpty());
}

// Others could do a part of what most do.
TEST(Gains, NameWhoComputesLeastWhereMostAreLonger) {
  MpiProgram of(4);
  for (std::uint64_t p = 0; p < 4; ++p) {
    const auto begun = p == 0 ? 10 : 40 + p;
    of.call(p, "work", 0, begun);
    of.barrier(p, begun, 43);
  }
  EXPECT_THAT(find_gains(of.end(50)), ElementsAre(Gained{"work", {0}, 9}, Gained{"work", {}, 1}));
}

// A function that is longer in one of two calls of an iteration, on another process in each: in the
// sum of the iteration nobody is.
TEST(Gains, CountEachSectionBetweenMeetings) {
  MpiProgram of(4);
  for (std::uint64_t p = 0; p < 4; ++p) {
    const auto first = p == 0 ? 30 : 10, second = p == 1 ? 70 : 50;
    of.call(p, "work", 0, first);
    of.barrier(p, first, 40);
    of.call(p, "work", 40, second);
    of.barrier(p, second, 80);
  }
  const auto gains = find_gains(of.end(80));
  ASSERT_FALSE(gains.empty());
  EXPECT_EQ(gains.front(), (Gained{"work", {0, 1}, 20 + 20}));
}

// Each works when it has what the one before sends: none is longer, and three work lengths are
// lost.
TEST(Gains, NameTheChainInWhichEachWaits) {
  MpiProgram of(4);
  std::uint64_t now = 0;
  for (std::uint64_t p = 0; p < 4; ++p) {
    if (p > 0)
      of.receive(p, p - 1, 0, ++now);
    of.call(p, "work", now, now + 100);
    now += 100;
    if (p < 3)
      of.send(p, p + 1, now, now + 1);
    of.barrier(p, now + (p < 3), 403);
  }
  EXPECT_THAT(find_gains(of.end(403)), ElementsAre(Gained{"MPI_Recv", {0, 1, 2, 3}, 300}));
}

// One could do more of what the others do.
TEST(Gains, NameWhoComputesLittle) {
  MpiProgram of(4);
  for (std::uint64_t p = 0; p < 4; ++p) {
    const auto begun = p == 3 ? 20 : 300;
    of.call(p, "work", 0, begun);
    of.barrier(p, begun, 300);
  }
  EXPECT_THAT(find_gains(of.end(300)), ElementsAre(Gained{"work", {3}, 70}));
}

TEST(Gains, NameTheTwoWithSlowMessages) {
  MpiProgram of(4);
  const std::uint64_t pairs[][2] = {{0, 1}, {2, 3}, {1, 2}};
  std::uint64_t begin = 0;
  for (const auto& [from, to] : pairs) {
    const std::uint64_t takes = from == 2 ? 100 : 4;
    of.send(from, to, begin, begin + takes);
    of.receive(to, from, begin, begin + takes);
    begin += 100;
  }
  for (const auto& [function, who, ticks] : find_gains(of.end(begin)))
    EXPECT_THAT(who, ElementsAre(2, 3)) << function << " " << ticks;
}

TEST(Replay, IsNotKnownWhereAMessageWasNotSent) {
  MpiProgram of(2);
  of.send(0, 1, 10, 20);
  of.receive(1, 0, 30, 40);
  of.receive(1, 0, 40, 50);
  EXPECT_THAT(record(of.end(100)).program->replays, IsEmpty());
}

TEST(Replay, IsStored) {
  MpiProgram of(2);
  of.call(1, "work", 0, 100);
  of.send(1, 0, 100, 102);
  of.receive(0, 1, 30, 103);
  const auto plan = record(of.end(200));
  const StoredProgram stored(pack_program(plan, ~std::uint64_t{0})->bytes);
  stored.check();
  const auto found = stored.read_replays();
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].part, ProgramReplay::run);
  EXPECT_EQ(found[0].ideal, 198);
  EXPECT_EQ(found[0].critical_path.network, 3);
  const auto& [path, ticks] = found[0].critical_path.network_in.at(0);
  const auto& paths = plan.program->calls.profiles.paths;
  EXPECT_EQ(plan.functions[paths.at(path - 1).function].name, "MPI_Recv");
  EXPECT_EQ(ticks, 3);
  ASSERT_EQ(found[0].critical_path.times.size(), 2);
  EXPECT_EQ(found[0].critical_path.times[1].process, 1);
  EXPECT_NEAR(static_cast<double>(found[0].critical_path.times[1].ticks), 100, 1)
      << "times are stored to 1 %";
  // From 100 to 103 the message is under way, then process 0 goes on alone.
  const auto& slots = found[0].critical_path.over_time;
  ASSERT_EQ(slots.size(), 200);
  EXPECT_EQ(slots[99], 1 + CriticalPath::first_process);
  EXPECT_EQ(slots[101], CriticalPath::on_network);
  EXPECT_EQ(slots[103], 0 + CriticalPath::first_process);
  EXPECT_EQ(slots, plan.program->replays.front().critical_path.over_time);

  const StoredProgram cut(cut_program(stored, {0}));
  cut.check();
  EXPECT_THAT(cut.read_replays(), IsEmpty()) << "who it is about is gone";
}

// Where the process on the path begins later than the run, nothing is known before.
TEST(CriticalPath, IsNotKnownBeforeItsFirstProcessBegins) {
  using enum EventKind;
  constexpr std::uint64_t tag = 1;
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  std::uint64_t id = 0;
  for (const auto* name : {"main", "MPI_Send", "MPI_Recv"})
    trace.add_region(id++, name);
  trace.record(0, Enter, 0, {0}).record(0, Enter, 10, {1});
  trace.record(0, MpiSend, 10, {1, TraceBuilder::world, tag, 8}).record(0, Leave, 11, {1});
  trace.record(0, Leave, 60, {0});
  trace.record(1, Enter, 50, {0}).record(1, Enter, 70, {2});
  trace.record(1, MpiRecv, 71, {0, TraceBuilder::world, tag, 8}).record(1, Leave, 71, {2});
  trace.record(1, Leave, 100, {0});
  const auto plan = record(trace);
  const auto& slots = plan.program->replays.at(0).critical_path.over_time;
  ASSERT_EQ(slots.size(), 100);
  EXPECT_EQ(slots[20], 0);
  EXPECT_EQ(slots[80], 1 + CriticalPath::first_process);
}

TEST(CriticalPath, AddsThatOfAnotherPart) {
  CriticalPath one{100, 5, {{3, 5}}, {{0, 1, 60}, {1, 1, 35}}};
  one.add({10, 1, {{2, 1}}, {{0, 1, 4}, {0, 2, 5}}});
  EXPECT_EQ(one.length, 110);
  EXPECT_EQ(one.network, 6);
  EXPECT_THAT(one.network_in, ElementsAre(std::pair(2, 1), std::pair(3, 5)));
  EXPECT_THAT(one.times, ElementsAre(CriticalPath::Time{0, 1, 64}, CriticalPath::Time{0, 2, 5},
                                     CriticalPath::Time{1, 1, 35}));
}

}  // namespace tracefold::replay_test
