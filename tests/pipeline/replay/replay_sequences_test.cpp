// Runs that are played from what a small trace keeps of them.
#include "base/error.hpp"
#include "pipeline/answers/play_stored.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/replay/replay.hpp"
#include "tests/support/mpi_program.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::replay_sequences_test {

using testing::MpiProgram;
using testing::record;

StoredProgram store(const Plan& plan) {
  return StoredProgram(pack_program(plan, ~std::uint64_t{0})->bytes);
}

double ask(const StoredProgram& stored, const std::vector<std::string>& words) {
  auto replays = stored.read_replays();
  play_stored(stored, parse_what_if(words), replays);
  return static_cast<double>(replays.at(0).asked.value());
}

// Rank 1 is late with a message, then both meet, twice: the second time in a call that does not
// block.
void compute_and_meet(MpiProgram& of) {
  of.call(1, "work", 0, 10'000);
  of.send(1, 0, 10'000, 10'200);
  of.call(0, "work", 0, 3'000);
  of.receive(0, 1, 3'000, 10'300);
  of.barrier(0, 12'000, 15'400);
  of.call(1, "more", 10'200, 15'000);
  of.barrier(1, 15'000, 15'400);
  for (std::uint64_t rank : {0, 1}) {
    of.begin_operation(rank, "MPI_Iallreduce", 16'000, 16'010, rank);
    of.call(rank, "last", 16'010, rank == 0 ? 17'000 : 18'000);
    of.wait_for_operation(rank, rank == 0 ? 17'000 : 18'000, rank == 0 ? 17'500 : 18'050,
                          otf2_value::collective_allreduce, rank);
  }
}

TEST(Sequences, ArePlayedAsTheRecordedRun) {
  MpiProgram of(2);
  compute_and_meet(of);
  const auto stored = store(record(of.end(20'000)));
  stored.check();
  const auto accuracy = measure_accuracy(stored);
  ASSERT_TRUE(accuracy);
  EXPECT_GT(*accuracy, 0.999);
}

TEST(Sequences, AnswerWhatIf) {
  MpiProgram of(2);
  compute_and_meet(of);
  const auto plan = record(of.end(20'000));
  const auto stored = store(plan);
  const auto ideal = static_cast<double>(plan.program->replays.at(0).ideal);
  EXPECT_NEAR(ask(stored, {"network:ideal"}), ideal, 0.01 * ideal);
  EXPECT_NEAR(ask(stored, {"work=0.5"}), 20'000 - 5'000, 200);
  EXPECT_NEAR(ask(stored, {"work=0.5", "more=0"}), 20'000 - 5'000 - 3'100, 200)
      << "then rank 0 is the last in the barrier";
  EXPECT_NEAR(ask(stored, {"no such function=0.5"}), 20'000, 1);
}

TEST(Sequences, AreThoseOfOperationsOfAnyKind) {
  const std::vector<std::function<void(MpiProgram&)>> programs{
      [](MpiProgram& of) {  // rank 0 waits for its receiver
        of.send(0, 1, 0, 6'000);
        of.call(1, "work", 0, 5'000);
        of.receive(1, 0, 5'000, 6'100);
      },
      [](MpiProgram& of) {  // the root alone is waited for
        of.call(1, "work", 0, 4'000);
        of.collective(0, "MPI_Bcast", otf2_value::collective_bcast, 1'000, 1'300, 0);
        of.collective(1, "MPI_Bcast", otf2_value::collective_bcast, 4'000, 4'100, 0);
      },
      [](MpiProgram& of) {
        of.call(1, "work", 0, 8'000);
        of.fence(0, 3'000, 8'500);
        of.fence(1, 8'000, 8'500);
      },
      [](MpiProgram& of) {  // both wait for each other, in calls that take no time
        for (std::uint64_t rank : {0, 1})
          for (std::uint64_t n = 0; n < 3; ++n)
            of.barrier(rank, 100, 100);
      }};
  for (const auto& program : programs) {
    MpiProgram of(2);
    program(of);
    EXPECT_GT(measure_accuracy(store(record(of.end(10'000)))), 0.99);
  }
}

// In each of three sections another one of four is longer, and those who are in time have to wait.
TEST(Sequences, AnswerWhatIfWorkIsEven) {
  MpiProgram of(4);
  for (std::uint64_t section = 0; section < 3; ++section)
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
      const auto begin = section * 10'000;
      const auto end = begin + (rank == section ? 9'000 : 6'000);
      of.call(rank, "work", begin, end);
      of.barrier(rank, end, begin + 10'000);
    }
  EXPECT_NEAR(ask(store(record(of.end(30'000))), {"balance:work"}), 30'000 - 3 * 3'000, 300);
}

// In each round others wait for another one of them, and a few rounds have most of the time.
TEST(Sequences, OfShortTimesBesideLongOnes) {
  constexpr std::uint64_t ranks = 8, rounds = 4'000;
  MpiProgram of(ranks);
  std::uint64_t now = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const bool is_long = round % 40 == 0;
    const auto longest = now + (is_long ? 10'000 : 60);
    const auto end = longest + (is_long ? 1'000 : 200);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      const auto until = longest - (rank == round % ranks ? 0 : 50 - 6 * rank);
      of.call(rank, "work", now, until);
      of.barrier(rank, until, end);
    }
    now = end;
  }
  const auto plan = record(of.end(now));
  const auto ideal = static_cast<double>(plan.program->replays.at(0).ideal);
  EXPECT_NEAR(ask(store(plan), {"network:ideal"}), ideal, 0.01 * ideal);
}

// Rank 1 hands on to rank 0 what rank 2 sends, in a time that is rounded to none.
TEST(Sequences, OfWhatIsHandedOnAtOnce) {
  constexpr std::uint64_t rounds = 100;
  MpiProgram of(3);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto now = 2'000 * round;
    of.call(2, "work", now, now + 1'000);
    of.send(2, 1, now + 1'000, now + 1'001);
    of.receive(1, 2, now, now + 1'002);
    of.send(1, 0, now + 1'003, now + 1'004);
    of.call(1, "work of its own", now + 1'004, now + 1'094);
    of.receive(0, 1, now, now + 1'005);
    for (std::uint64_t rank = 0; rank < 3; ++rank)
      of.barrier(rank, now + 1'094, now + 2'000);
  }
  const auto stored = store(record(of.end(2'000 * rounds)));
  EXPECT_NEAR(ask(stored, {"work=0"}), 1'000.0 * rounds, 50.0 * rounds);
}

// A message goes from each process to the one before it, round and round: each time another one is
// the only one that can go on.
TEST(Sequences, OfARing) {
  constexpr std::uint64_t ranks = 50, rounds = 40;
  MpiProgram of(ranks);
  std::vector<std::uint64_t> since(ranks);
  std::uint64_t now = 0, holder = 0;
  for (std::uint64_t k = 0; k < ranks * rounds; ++k) {
    const auto next = (holder + ranks - 1) % ranks;
    of.call(holder, "work", now, now + 700);
    of.send(holder, next, now + 700, now + 750);
    since[holder] = now + 750;
    of.receive(next, holder, since[next], now + 800);
    now += 800;
    holder = next;
  }
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    of.barrier(rank, since[rank], now + 100);
  const auto stored = store(record(of.end(now + 100)));
  EXPECT_GT(measure_accuracy(stored), 0.99);
  EXPECT_NEAR(ask(stored, {"work=0"}), static_cast<double>(now - ranks * rounds * 700),
              0.01 * static_cast<double>(now));
}

// Times are added up, which needs room.
TEST(Sequences, AreNotKeptAtTheEndOfTheClock) {
  constexpr auto late = ~std::uint64_t{0} / 2;
  MpiProgram of(2);
  of.call(1, "work", late, late + 100);
  of.send(1, 0, late + 100, late + 102);
  of.receive(0, 1, late + 30, late + 103);
  const auto plan = record(of.end(late + 200));
  EXPECT_TRUE(plan.program->sequences.empty());
  EXPECT_EQ(measure_accuracy(store(plan)), std::nullopt);
}

TEST(Sequences, AreLeftOutFirstWhereThereIsLittleRoom) {
  MpiProgram of(2);
  compute_and_meet(of);
  const auto plan = record(of.end(20'000));
  const auto whole = pack_program(plan, ~std::uint64_t{0});
  const auto less = pack_program(plan, whole->bytes.size() - 1);
  ASSERT_TRUE(less);
  EXPECT_THAT(less->detail.left_out, ::testing::ElementsAre("what the run is played from"));
  const StoredProgram stored(less->bytes);
  EXPECT_FALSE(stored.read_replays().empty());
  EXPECT_EQ(measure_accuracy(stored), std::nullopt);
  auto replays = stored.read_replays();
  play_stored(stored, parse_what_if({"work=0.5"}), replays);
  EXPECT_EQ(replays.at(0).asked, std::nullopt);
}

TEST(Sequences, AreNotOfSomeProcesses) {
  MpiProgram of(2);
  compute_and_meet(of);
  const StoredProgram cut(cut_program(store(record(of.end(20'000))), {0}));
  cut.check();
  EXPECT_TRUE(cut.read_sequences().empty());
  EXPECT_EQ(measure_accuracy(cut), std::nullopt);
}

TEST(Sequences, ThatDoNotFitAreRefusedWhereTheyArePlayed) {
  MpiProgram of(2);
  compute_and_meet(of);
  auto plan = record(of.end(20'000));
  auto program = *plan.program;
  program.sequences[0].others[0] = program.sequences.size();
  plan.program = std::make_shared<const ProgramProfiles>(std::move(program));
  const auto stored = store(plan);
  stored.check();
  auto replays = stored.read_replays();
  EXPECT_THROW(measure_accuracy(stored), Error);
  EXPECT_THROW(play_stored(stored, parse_what_if({"work=0.5"}), replays), Error);
}

// Any number may be wrong: then it is refused, or another run is played, but to its end.
TEST(Sequences, OfADamagedFileAreRefusedOrPlayed) {
  MpiProgram of(2);
  compute_and_meet(of);
  const auto plan = record(of.end(20'000));
  const auto paths = plan.program->calls.profiles.paths.size() + 1;
  std::size_t refused = 0, played = 0;
  const std::vector<std::uint64_t> values{0, 1, 2, 3, 7, 1'000, ~std::uint64_t{0}};
  for (std::size_t p = 0; p < 2; ++p)
    for (const auto& [name, list, is_time] : sequence_lists)
      for (std::size_t k = 0; k < (plan.program->sequences[p].*list).size(); ++k)
        for (const auto value : values) {
          auto sequences = plan.program->sequences;
          (sequences[p].*list)[k] = value;
          std::vector<TimedProcess> processes;
          std::vector<Replay::Part> parts(plan.program->replays.size());
          try {
            const Replay replay(sequences, paths, std::vector<bool>(paths), processes, parts);
            replay.play(parts.at(0), {});
            ++played;
          } catch (const Error& problem) {
            EXPECT_EQ(problem.kind(), ErrorKind::input);
            ++refused;
          }
        }
  EXPECT_GT(refused, 100);
  EXPECT_GT(played, 100);
}

}  // namespace tracefold::replay_sequences_test
