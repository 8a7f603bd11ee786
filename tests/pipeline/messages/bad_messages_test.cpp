// Traces whose messages are not what they should be, from the records to what is kept beside the
// reduced trace.
#include "base/error.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/messages/fold_messages.hpp"
#include "model/plan.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tracefold::bad_messages_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t world = TraceBuilder::world, compute = 0, ranks = 4;

class BadMessagesTest : public ::testing::Test {
 protected:
  BadMessagesTest() {
    builder_.add_mpi_processes(ranks).add_region(compute, "compute");
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
      builder_.record(rank, Enter, 0, {compute});
  }

  // Every rank sends to the next, and receives from the one before, with the request 7.
  void add_ring() {
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      builder_.record(rank, MpiIrecvRequest, 10, {7});
      builder_.record(rank, MpiSend, 20, {(rank + 1) % ranks, world, 1, 100});
      builder_.record(rank, MpiIrecv, 30, {(rank + ranks - 1) % ranks, world, 1, 100, 7});
    }
  }

  // Reduces by signature; the result is what is kept beside the reduced trace.
  Messages reduce(std::uint64_t bytes_of_rank_1 = 0) {
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
      builder_.record(rank, Leave, 1000, {compute});
    const auto archive = builder_.write(folder_.path());
    if (bytes_of_rank_1 > 0)
      std::filesystem::resize_file(folder_.path() / "traces/1.evt", bytes_of_rank_1);

    ReadOptions options;
    options.partial = bytes_of_rank_1 > 0;
    auto plan = make_plan(archive, {});
    const auto communication =
        add_profiles(plan, archive, options, diagnostics_, {RecordOperations::with_gaps}).value();
    Comparison comparison;
    comparison.by = CompareBy::signature;
    group_by_signature(plan, communication, comparison);
    groups_ = plan.groups->size();
    for (const auto& group : *plan.groups)
      if (group.members.size() == 1 && group.members[0] == 1)
        rank_1_is_alone_ = true;

    select(plan, {.choice = Choice::first});
    plan.messages = std::make_shared<const Messages>(fold_messages(communication));
    rewrite(archive, plan, folder_.path() / "small", {}, options, diagnostics_);
    const Archive reduced((folder_.path() / "small/traces.otf2").string(), diagnostics_);
    return *read_stored_messages(reduced);
  }

  // Peers of all operations of a rank, relative to it.
  static std::vector<std::uint64_t> list_peers(const Messages& messages, std::uint64_t rank) {
    const auto communication = decode_messages(messages);
    std::vector<std::uint64_t> peers;
    for (const auto& one : communication.ranks)
      if (one.rank == rank)
        for (SequenceCursor cursor(communication.sequences[one.sequence]); !cursor.at_end();
             cursor.advance()) {
          const auto& operation = communication.operations[cursor.symbol()];
          peers.push_back(operation.values[find_parameter(operation.kind, Parameter::peer)]);
        }
    return peers;
  }

  TraceBuilder builder_;
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::size_t groups_ = 0;
  bool rank_1_is_alone_ = false;
};

TEST_F(BadMessagesTest, GoodOnesAreComplete) {
  add_ring();
  const auto messages = reduce();

  EXPECT_TRUE(messages.complete);
  EXPECT_EQ(groups_, 1u);
  EXPECT_THAT(list_peers(messages, 2), ElementsAre(3, 1));
  EXPECT_THAT(diagnostics_.warnings(), IsEmpty());
}

TEST_F(BadMessagesTest, AReceiveThatNeverCompletesHasUnknownEnds) {
  add_ring();
  for (std::uint64_t rank = 0; rank < 2; ++rank)
    builder_.record(rank, MpiIrecvRequest, 40, {8});
  const auto messages = reduce();

  EXPECT_FALSE(messages.complete);
  EXPECT_THAT(list_peers(messages, 0), ElementsAre(3, 1, unknown_value));
  EXPECT_THAT(diagnostics_.warnings(),
              ElementsAre(AllOf(HasSubstr("never completed"), HasSubstr("and 1 more"))));
}

TEST_F(BadMessagesTest, ACommunicatorThatIsNotDefinedHasUnknownEnds) {
  add_ring();
  for (std::uint64_t rank = 0; rank < 2; ++rank)
    builder_.record(rank, MpiSend, 40, {0, 99, 1, 100});
  const auto messages = reduce();

  EXPECT_FALSE(messages.complete);
  EXPECT_THAT(list_peers(messages, 1), ElementsAre(3, 1, unknown_value));
  EXPECT_THAT(
      diagnostics_.warnings(),
      Contains(AllOf(HasSubstr("communicators that are not defined"), HasSubstr("and 1 more"))));
}

TEST_F(BadMessagesTest, ARankOutOfRangeIsAnUnknownEnd) {
  add_ring();
  for (std::uint64_t rank = 2; rank < 4; ++rank)
    builder_.record(rank, MpiSend, 40, {ranks, world, 1, 100});
  const auto messages = reduce();

  EXPECT_FALSE(messages.complete);
  EXPECT_THAT(list_peers(messages, 3), ElementsAre(3, 1, unknown_value));
  EXPECT_THAT(diagnostics_.warnings(),
              Contains(AllOf(HasSubstr("ranks that their communicator does not have"),
                             HasSubstr("and 1 more"))));
}

TEST_F(BadMessagesTest, ReusedRequestsMatchFirstInFirstOut) {
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    builder_.record(rank, MpiIrecvRequest, 10, {7});
    builder_.record(rank, MpiIrecvRequest, 11, {7});
    builder_.record(rank, MpiSend, 20, {(rank + 1) % ranks, world, 1, 100});
    builder_.record(rank, MpiSend, 21, {(rank + 2) % ranks, world, 1, 100});
    builder_.record(rank, MpiIrecv, 30, {(rank + 3) % ranks, world, 1, 100, 7});
    builder_.record(rank, MpiIrecv, 31, {(rank + 2) % ranks, world, 1, 100, 7});
  }
  const auto messages = reduce();

  EXPECT_TRUE(messages.complete);
  EXPECT_THAT(list_peers(messages, 0), ElementsAre(3, 2, 1, 2));
}

// Rank 1 does as all do, as far as it can be read.
TEST_F(BadMessagesTest, ADamagedRankIsAloneAndMessagesAreIncomplete) {
  add_ring();
  for (std::uint64_t k = 0; k < 100; ++k)
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
      builder_.record(rank, MpiSend, 50 + k, {(rank + 1) % ranks, world, k, 100});
  const auto messages = reduce(700);

  EXPECT_FALSE(messages.complete);
  EXPECT_TRUE(rank_1_is_alone_);
  EXPECT_EQ(groups_, 2u);
}

// Nothing of its messages can be read, so that no rank seems to lack one.
TEST_F(BadMessagesTest, ADamagedRankWithoutAnyMessageLeavesMessagesIncomplete) {
  add_ring();
  const auto messages = reduce(35);

  EXPECT_FALSE(messages.complete);
}

}  // namespace tracefold::bad_messages_test
