// Who sends messages to whom, and who waits for whom: recorded, packed and read again.
#include "model/plan.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::program_pairs_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using testing::TraceBuilder;

constexpr std::uint64_t world = TraceBuilder::world, tag = 1, barrier = 0;
enum Region : std::uint64_t { main_region, send, receive, isend, wait, barrier_region };

// Process 0 sends late to 1, which receives from 20 on what is sent at 100. Process 1 sends to 2,
// which posts the receive 60 after that, and again without blocking, which it completes at once.
// In the barrier 2 comes last.
TraceBuilder build_trace() {
  TraceBuilder trace;
  trace.add_mpi_processes(3);
  std::uint64_t regions = 0;
  for (const auto* name : {"main", "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Wait", "MPI_Barrier"})
    trace.add_region(regions++, name);
  const auto enter = [&](std::uint64_t process, std::uint64_t region, std::uint64_t time) {
    trace.record(process, Enter, time, {region});
  };
  const auto leave = [&](std::uint64_t process, std::uint64_t region, std::uint64_t time) {
    trace.record(process, Leave, time, {region});
  };
  for (std::uint64_t process = 0; process < 3; ++process)
    enter(process, main_region, 0);

  enter(0, send, 100);
  trace.record(0, MpiSend, 101, {1, world, tag, 50});
  leave(0, send, 110);
  enter(1, receive, 20);
  trace.record(1, MpiRecv, 114, {0, world, tag, 50});
  leave(1, receive, 115);

  enter(1, send, 120);
  trace.record(1, MpiSend, 121, {2, world, tag, 7});
  leave(1, send, 200);
  enter(2, receive, 180);
  trace.record(2, MpiRecv, 202, {1, world, tag, 7});
  leave(2, receive, 205);

  enter(1, isend, 206);
  trace.record(1, MpiIsend, 206, {2, world, tag, 8, 1});
  leave(1, isend, 207);
  enter(1, wait, 207);
  trace.record(1, MpiIsendComplete, 214, {1});
  leave(1, wait, 215);
  enter(2, receive, 210);
  trace.record(2, MpiRecv, 216, {1, world, tag, 8});
  leave(2, receive, 217);

  for (const auto& [process, time] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 220}, {1, 225}, {2, 230}}) {
    enter(process, barrier_region, time);
    trace.record(process, MpiCollectiveBegin, time);
    trace.record(process, MpiCollectiveEnd, 239, {barrier, world, otf2_value::root_none, 0, 0});
    leave(process, barrier_region, 240);
    leave(process, main_region, 250);
  }

  return trace;
}

class ProgramPairs : public ::testing::Test {
 protected:
  ProgramPairs() {
    build_trace().write(folder_.path());
    Diagnostics ignored;
    const Context context{ignored};
    PlanSession session(open_trace((folder_.path() / "traces.otf2").string(), ignored), context);
    session.profile();
    session.group({});
    plan_ = session.plan();
    record_program(session.archive(), plan_, std::nullopt, RecordProgram::yes, {}, ignored);
  }

  StoredProgram pack(std::uint64_t most_bytes = ~std::uint64_t{0}) const {
    return StoredProgram(pack_program(plan_, most_bytes)->bytes);
  }

  testing::TestFolder folder_;
  Plan plan_;
};

TEST_F(ProgramPairs, HaveTheMessagesAndTheWaitingOfBothEnds) {
  EXPECT_THAT(plan_.program->pairs,
              ElementsAre(ProgramPair{0, 1, 1, 50, 80, 0}, ProgramPair{1, 2, 2, 15, 0, 60 + 3}));
}

TEST_F(ProgramPairs, AddUpToWhatIsWaitedForInCalls) {
  const auto calls = pack().read_calls(StoredColumns::all);
  const auto& profiles = calls.profiles;
  std::uint64_t late_sender = 0, late_receiver = 0;
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k) {
      late_sender += profiles.value(p, k, *profiles.columns.find(Metric::mpi_late_sender_time));
      late_receiver += profiles.value(p, k, *profiles.columns.find(Metric::mpi_late_receiver_time));
    }
  EXPECT_EQ(late_sender, 80u);
  EXPECT_EQ(late_receiver, 63u);
}

TEST_F(ProgramPairs, AreReadAsTheyAreStored) {
  EXPECT_THAT(pack().read_pairs(), Optional(ElementsAre(ProgramPair{0, 1, 1, 50, 80, 0},
                                                        ProgramPair{1, 2, 2, 15, 0, 63})));
}

TEST_F(ProgramPairs, SayWhomOthersWaitedForInCollectiveOperations) {
  EXPECT_THAT(pack().read_caused(Metric::mpi_wait_at_barrier_time),
              Optional(ElementsAre(0, 0, 10 + 5)));
  EXPECT_EQ(pack().read_caused(Metric::mpi_wait_at_nxn_time), std::nullopt);
}

TEST_F(ProgramPairs, StayWhereBothProcessesAreLeft) {
  const StoredProgram later(cut_program(pack(), {1, 2}));
  later.check();
  EXPECT_THAT(later.read_pairs(), Optional(ElementsAre(ProgramPair{0, 1, 2, 15, 0, 63})));
  EXPECT_EQ(later.read_caused(Metric::mpi_wait_at_barrier_time), std::nullopt);
  EXPECT_THAT(StoredProgram(cut_program(pack(), {0, 2})).read_pairs(), Optional(IsEmpty()));
}

TEST_F(ProgramPairs, AreLeftOutBeforeTimesAreLessExact) {
  plan_.program = [&] {
    auto program = *plan_.program;
    program.delays.clear();
    return std::make_shared<const ProgramProfiles>(std::move(program));
  }();
  const auto all = pack_program(plan_, ~std::uint64_t{0});
  const auto less = pack_program(plan_, all->bytes.size() - 1);
  ASSERT_TRUE(less);
  EXPECT_EQ(less->detail, (ProgramDetail{1, 1, {"who waits for whom"}}));
  EXPECT_EQ(StoredProgram(less->bytes).read_pairs(), std::nullopt);
}

}  // namespace tracefold::program_pairs_test
