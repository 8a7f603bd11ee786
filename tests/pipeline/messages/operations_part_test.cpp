// Parts of operations give the same communication however processes are divided among them, and
// also when they were packed and unpacked before they are merged.
#include "pipeline/messages/operations_part.hpp"

#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/record_operations.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::operations_part_test {

using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t world = TraceBuilder::world, ranks = 6, work = 0, exchange = 1;

class OperationsPartTest : public ::testing::Test {
 protected:
  // Ranks send to the next one as often as their ids say, in calls of two functions, and their last
  // receive never completes.
  OperationsPartTest()
      : archive_(make()),
        functions_(archive_.definitions(), {}),
        processes_(find_processes(archive_.definitions(), {})) {}

  // Records processes in turn by so many threads.
  std::vector<OperationsPart> record(std::size_t threads) {
    OperationRecorder recorder(archive_.definitions(), functions_.functions(), true);
    std::vector<OperationRecorder::Thread*> all;
    for (std::size_t t = 0; t < threads; ++t)
      all.push_back(&recorder.add_thread());

    EventReader reader(archive_, archive_.definitions().locations(), {}, diagnostics_);
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      auto& thread = *all[(p + 1) % threads];
      thread.sink.begin(processes_[p].id);
      read_calls(reader, processes_[p].id, functions_, thread.sink);
      thread.record(p);
    }
    return recorder.take_parts().value();
  }

  Communication merge(std::vector<OperationsPart> parts) {
    const CommunicatorRanks communicators(archive_.definitions());
    return merge_operations(std::move(parts), archive_.definitions(), communicators,
                            functions_.functions(), processes_, true, diagnostics_);
  }

  static void expect_same(const Communication& a, const Communication& b) {
    EXPECT_EQ(a.names, b.names);
    EXPECT_EQ(a.paths, b.paths);
    EXPECT_EQ(a.operations, b.operations);
    EXPECT_EQ(a.sequences, b.sequences);
    EXPECT_EQ(a.unknown_ends, b.unknown_ends);
    ASSERT_EQ(a.ranks.size(), b.ranks.size());
    for (std::size_t r = 0; r < a.ranks.size(); ++r) {
      EXPECT_EQ(a.ranks[r].rank, b.ranks[r].rank);
      EXPECT_EQ(a.ranks[r].locations, b.ranks[r].locations);
      EXPECT_EQ(a.ranks[r].sequence, b.ranks[r].sequence);
      EXPECT_EQ(a.ranks[r].messages, b.ranks[r].messages);
      EXPECT_EQ(a.ranks[r].bytes, b.ranks[r].bytes);
      EXPECT_EQ(a.ranks[r].gaps, b.ranks[r].gaps);
    }
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Archive archive_;
  FunctionTable functions_;
  std::vector<Process> processes_;

 private:
  Archive make() {
    TraceBuilder builder;
    builder.add_mpi_processes(ranks).add_region(work, "work");
    const auto text = builder.string("exchange");
    builder.define(DefinitionKind::Region,
                   {exchange, text, text, text, 0, TraceBuilder::mpi, 0, TraceBuilder::none, 0, 0});

    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      builder.record(rank, Enter, 0, {work});
      for (std::uint64_t k = 0; k <= rank % 3; ++k) {
        const auto time = 100 * k;
        builder.record(rank, Enter, time + 10 + rank, {exchange});
        builder.record(rank, MpiIrecvRequest, time + 20, {7});
        builder.record(rank, MpiSend, time + 30, {(rank + 1) % ranks, world, k, 8});
        if (k < rank % 3)
          builder.record(rank, MpiIrecv, time + 40, {(rank + 5) % ranks, world, k, 8, 7});
        builder.record(rank, Leave, time + 50, {exchange});
      }
      builder.record(rank, Leave, 1000, {work});
    }
    return builder.write(folder_.path());
  }
};

TEST_F(OperationsPartTest, GivesTheSameHoweverManyThreadsThereAre) {
  const auto expected = merge(record(1));
  EXPECT_EQ(expected.ranks.size(), ranks);
  EXPECT_EQ(expected.unknown_ends, ranks);
  expect_same(merge(record(2)), expected);
  expect_same(merge(record(4)), expected);
}

TEST_F(OperationsPartTest, IsMergedAsTheOneThatWasPacked) {
  const auto parts = record(3);
  std::vector<OperationsPart> arrived;
  for (const auto& part : parts) {
    const auto bytes = pack(part);
    arrived.push_back(unpack<OperationsPart>(bytes));
    EXPECT_EQ(pack(arrived.back()), bytes);
  }
  expect_same(merge(std::move(arrived)), merge(parts));
}

TEST_F(OperationsPartTest, IsAnErrorWhereItArrivesDamagedOrIsOfOtherProcesses) {
  auto parts = record(1);
  auto bytes = pack(parts[0]);
  bytes[bytes.size() / 3] ^= 4;
  EXPECT_THROW(unpack<OperationsPart>(bytes), Error);
  parts[0].processes[0].process = ranks;
  EXPECT_THROW(merge(parts), Error);
}

}  // namespace tracefold::operations_part_test
