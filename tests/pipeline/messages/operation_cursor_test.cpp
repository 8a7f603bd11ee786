#include "pipeline/messages/operation_cursor.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>

namespace tracefold::operation_cursor_test {

using enum EventKind;
using Fields = std::array<std::uint64_t, max_event_fields>;

constexpr std::uint64_t no_operation = Followed::none, never_begun = no_operation - 1;

Event event(EventKind kind, Fields fields = {}) {
  Event e;
  e.kind = kind;
  e.fields = fields;
  return e;
}

class OperationCursorTest : public ::testing::Test {
 protected:
  Followed follow(EventKind kind, Fields fields = {}) {
    return cursor_.follow(event(kind, fields));
  }
  std::uint64_t number(EventKind kind, Fields fields = {}) {
    const auto found = follow(kind, fields);
    return found.step == Step::unknown ? never_begun : found.operation;
  }

  OperationCursor cursor_;
};

TEST_F(OperationCursorTest, FollowsRequestsThatAreReused) {
  EXPECT_EQ(number(MpiIrecvRequest, {7}), 0u);
  EXPECT_EQ(number(MpiIsend, {1, 0, 0, 0, 8}), 1u);
  EXPECT_EQ(number(MpiRequestTest, {7}), 0u);
  EXPECT_EQ(number(MpiIsendComplete, {8}), 1u);
  EXPECT_EQ(number(MpiIrecv, {1, 0, 0, 0, 7}), 0u);
  EXPECT_EQ(number(MpiIrecvRequest, {7}), 2u);
  EXPECT_EQ(number(MpiRequestCancelled, {7}), 2u);
  EXPECT_EQ(number(MpiRequestTest, {7}), never_begun);
  EXPECT_EQ(number(MpiIsendComplete, {9}), never_begun);
  EXPECT_EQ(number(MpiIrecv, {1, 0, 0, 0, 9}), 3u) << "its partner is known";
}

TEST_F(OperationCursorTest, HoldsCollectivesFromBeginToEnd) {
  EXPECT_EQ(number(MpiCollectiveBegin), 0u);
  EXPECT_EQ(number(MpiSend), 1u);
  EXPECT_EQ(number(MpiCollectiveEnd), 0u);
  EXPECT_EQ(number(MpiCollectiveEnd), 2u);
  EXPECT_EQ(number(NonBlockingCollectiveRequest, {5}), 3u);
  EXPECT_EQ(number(MpiCollectiveBegin), 4u);
  EXPECT_EQ(number(NonBlockingCollectiveComplete, {0, 0, 0, 0, 0, 5}), 3u);
}

TEST_F(OperationCursorTest, FollowsOneSidedAndFileOperationsAndLocks) {
  EXPECT_EQ(number(RmaPut, {1, 2, 64, 5}), 0u);
  EXPECT_EQ(number(RmaOpCompleteBlocking, {1, 5}), 0u);
  EXPECT_EQ(number(RmaOpCompleteRemote, {1, 5}), 0u);
  EXPECT_EQ(number(RmaOpCompleteRemote, {2, 5}), never_begun);
  EXPECT_EQ(number(IoOperationBegin, {3, 0, 0, 64, 5}), 1u);
  EXPECT_EQ(number(IoOperationIssued, {3, 5}), 1u);
  EXPECT_EQ(number(IoOperationComplete, {3, 64, 5}), 1u);
  EXPECT_EQ(number(IoOperationIssued, {3, 5}), no_operation);
  EXPECT_EQ(number(OmpAcquireLock, {4, 1}), 2u);
  EXPECT_EQ(number(OmpReleaseLock, {4, 2}), 2u);
  EXPECT_EQ(number(Metric, {4}), no_operation);
}

TEST_F(OperationCursorTest, NestsForksAndTeams) {
  EXPECT_EQ(number(ThreadFork, {2}), 0u);
  EXPECT_EQ(number(ThreadTeamBegin, {7}), 1u);
  EXPECT_EQ(number(ThreadTeamBegin, {7}), 2u);
  EXPECT_EQ(number(ThreadTeamEnd, {7}), 2u);
  EXPECT_EQ(number(ThreadTeamEnd, {7}), 1u);
  EXPECT_EQ(number(ThreadJoin, {2}), 0u);
  EXPECT_EQ(number(ThreadTeamEnd, {7}), 3u) << "of no team that was begun";
  EXPECT_EQ(number(OmpFork), 4u);
  EXPECT_EQ(number(OmpJoin), 4u);
}

TEST_F(OperationCursorTest, SaysWhatRecordsDoToTheirOperations) {
  EXPECT_EQ(follow(MpiSend).step, Step::whole);
  EXPECT_EQ(follow(MpiIrecvRequest, {7}).step, Step::begins);
  EXPECT_EQ(follow(MpiRequestTest, {7}).step, Step::tests);
  EXPECT_EQ(follow(MpiIrecv, {1, 0, 0, 0, 7}).step, Step::completes);
  EXPECT_EQ(follow(MpiIrecv, {1, 0, 0, 0, 7}).step, Step::whole);
  EXPECT_EQ(follow(MpiRequestCancelled, {7}).step, Step::unknown);
  EXPECT_EQ(follow(MpiIsend, {1, 0, 0, 0, 8}).step, Step::begins);
  EXPECT_EQ(follow(MpiRequestCancelled, {8}).step, Step::cancels);
  EXPECT_EQ(follow(RmaGet, {1, 2, 64, 5}).step, Step::begins);
  EXPECT_EQ(follow(RmaOpCompleteNonBlocking, {1, 5}).step, Step::completes_locally);
  EXPECT_EQ(follow(RmaOpCompleteRemote, {1, 5}).step, Step::completes);
  EXPECT_EQ(follow(RmaOpTest, {1, 5}).step, Step::unknown);
  EXPECT_EQ(follow(IoOperationTest, {1, 5}).step, Step::alone);
  EXPECT_EQ(follow(Enter).step, Step::alone);
}

TEST_F(OperationCursorTest, TellsWhichOperationLosesItsRequestToAnother) {
  EXPECT_EQ(follow(MpiIrecvRequest, {7}).replaced, Followed::none);
  EXPECT_EQ(follow(MpiIrecvRequest, {7}).replaced, 0u);
  EXPECT_EQ(number(MpiIrecv, {1, 0, 0, 0, 7}), 1u);
  EXPECT_EQ(number(MpiIrecv, {1, 0, 0, 0, 7}), 2u);
}

TEST(OperationCursor, CompletesRequestsWithOneIdInTheirOrderWhereItIsSaidSo) {
  OperationCursor cursor(OperationCursor::Reuse::queues);
  for (std::uint64_t n : {10, 20, 30})
    EXPECT_EQ(cursor.follow(event(MpiIrecvRequest, {7}), n).operation, n);

  cursor.give_up(7);
  const auto completion = event(MpiIrecv, {1, 0, 0, 0, 7});
  EXPECT_EQ(cursor.follow(completion, 40).operation, 20u);
  EXPECT_EQ(cursor.follow(completion, 40).operation, 30u);
  EXPECT_EQ(cursor.follow(completion, 40).step, Step::whole);
}

TEST(OperationCursor, ForgetsOldOperationsThatMayBeCompletedRemotely) {
  OperationCursor cursor;
  for (std::uint64_t id = 0; id < 4; ++id)
    cursor.follow(event(RmaPut, {1, 2, 64, id}));

  EXPECT_EQ(cursor.count_open(), 4u);
  cursor.give_up_before(3);
  EXPECT_EQ(cursor.count_open(), 1u);
  EXPECT_EQ(cursor.follow(event(RmaOpCompleteRemote, {1, 2})).step, Step::unknown);
  EXPECT_EQ(cursor.follow(event(RmaOpCompleteRemote, {1, 3})).operation, 3u);
}

}  // namespace tracefold::operation_cursor_test
