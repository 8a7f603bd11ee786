// What is left out of a location's events, and the ranks that others get.
#include "pipeline/rewrite/event_cut.hpp"
#include "model/plan.hpp"

#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::event_cut_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_event;
using testing::TraceBuilder;

constexpr std::uint64_t world = TraceBuilder::world, self = 5, window = 7;

// Processes 0 to 3, of which 1 and 3 are kept and become ranks 0 and 1. All cases are of process 1.
class CutTest : public ::testing::Test {
 protected:
  static Definitions make_definitions() {
    TraceBuilder trace;
    trace.add_mpi_processes(4).add_self_comm(self, 6);
    return trace.define(DefinitionKind::RmaWin, {window, 0, world, 0}).definitions();
  }

  struct Result {
    std::vector<Event> events;
    CutCounts cut{};
    LocationOperations operations;
  };

  // Events whose number is in `collapsed` are in an iteration that is left out.
  Result reduce(std::vector<Event> events, const std::vector<std::size_t>& collapsed = {}) const {
    const auto is_inside = [&](std::size_t i) {
      return std::find(collapsed.begin(), collapsed.end(), i) == collapsed.end();
    };
    EventScan scan(partners_, definitions_, 1, true);
    for (std::size_t i = 0; i < events.size(); ++i)
      scan.scan(events[i], is_inside(i));

    Result result;
    result.operations = scan.take();
    EventCut cut(partners_, 1, result.operations.stays, false);
    for (std::size_t i = 0; i < events.size(); ++i)
      if (cut.keep(events[i], is_inside(i)))
        result.events.push_back(events[i]);
    result.cut = cut.cut();

    return result;
  }

  static std::vector<EventKind> list_kinds(const std::vector<Event>& events) {
    std::vector<EventKind> kinds;
    for (const auto& event : events)
      kinds.push_back(event.kind);
    return kinds;
  }

  const Definitions definitions_ = make_definitions();
  const Plan plan_ = testing::keep_first(definitions_, {{1, 0}, {3, 2}});
  const KeptLocations kept_{definitions_, plan_, false};
  const Partners partners_{definitions_, plan_, kept_};
};

using EventCutTest = CutTest;
using EventScanTest = CutTest;

TEST_F(EventCutTest, GivesMessagesBetweenKeptProcessesTheirNewRank) {
  const auto found =
      reduce({make_event(MpiSend, 1, {3, world, 7, 8}), make_event(MpiRecv, 2, {3, world, 7, 8})});
  ASSERT_THAT(list_kinds(found.events), ElementsAre(MpiSend, MpiRecv));
  EXPECT_EQ((get_field<"receiver", MpiSend>(found.events[0])), 1u);
  EXPECT_EQ((get_field<"sender", MpiRecv>(found.events[1])), 1u);
}

TEST_F(EventCutTest, LeavesOutMessagesWithOtherProcessesAndCountsThem) {
  const auto found =
      reduce({make_event(MpiSend, 1, {0, world, 7, 8}), make_event(MpiRecv, 2, {2, world, 7, 8})});
  EXPECT_THAT(found.events, IsEmpty());
  EXPECT_EQ(found.cut[static_cast<std::size_t>(MpiSend)], 1u);
  EXPECT_EQ(found.cut[static_cast<std::size_t>(MpiRecv)], 1u);
}

TEST_F(EventCutTest, LeavesOutTheRequestOfAReceiveBeforeItsSenderIsKnown) {
  const auto found =
      reduce({make_event(MpiIrecvRequest, 1, {10}), make_event(MpiIrecvRequest, 2, {11}),
              make_event(MpiRequestTest, 3, {10}), make_event(MpiIrecv, 4, {2, world, 7, 8, 10}),
              make_event(MpiIrecv, 5, {3, world, 7, 8, 11})});
  ASSERT_THAT(list_kinds(found.events), ElementsAre(MpiIrecvRequest, MpiIrecv));
  EXPECT_EQ((get_field<"requestID", MpiIrecvRequest>(found.events[0])), 11u);
}

TEST_F(EventCutTest, LeavesOutAReceiveThatNeverEnds) {
  EXPECT_THAT(reduce({make_event(MpiIrecvRequest, 1, {10})}).events, IsEmpty());
  const auto cancelled =
      reduce({make_event(MpiIrecvRequest, 1, {10}), make_event(MpiRequestCancelled, 2, {10})});
  EXPECT_THAT(cancelled.events, IsEmpty());
}

TEST_F(EventCutTest, LeavesOutRecordsOfARequestThatNeverBegan) {
  EXPECT_THAT(reduce({make_event(MpiIsendComplete, 1, {9})}).events, IsEmpty());
}

TEST_F(EventCutTest, KeepsASendWithAllItsRequestRecords) {
  const auto found =
      reduce({make_event(MpiIsend, 1, {3, world, 7, 8, 4}), make_event(MpiRequestTest, 2, {4}),
              make_event(MpiIsendComplete, 3, {4})});
  EXPECT_THAT(list_kinds(found.events), ElementsAre(MpiIsend, MpiRequestTest, MpiIsendComplete));
}

TEST_F(EventCutTest, GivesACollectiveNoRootWhereItsRootIsLeftOut) {
  const auto found = reduce(
      {make_event(MpiCollectiveBegin, 1), make_event(MpiCollectiveEnd, 2, {1, world, 0, 4, 4}),
       make_event(MpiCollectiveBegin, 3), make_event(MpiCollectiveEnd, 4, {1, world, 3, 4, 4}),
       make_event(MpiCollectiveBegin, 5),
       make_event(MpiCollectiveEnd, 6, {1, world, otf2_value::root_self, 4, 4})});
  ASSERT_EQ(found.events.size(), 6u);
  EXPECT_EQ((get_field<"root", MpiCollectiveEnd>(found.events[1])), otf2_value::root_none);
  EXPECT_EQ((get_field<"root", MpiCollectiveEnd>(found.events[3])), 1u);
  EXPECT_EQ((get_field<"root", MpiCollectiveEnd>(found.events[5])), otf2_value::root_self);
}

TEST_F(EventCutTest, LeavesOutOneSidedOperationsWithTheirCompletion) {
  const auto found = reduce(
      {make_event(RmaPut, 1, {window, 0, 64, 1}), make_event(RmaOpCompleteBlocking, 2, {window, 1}),
       make_event(RmaPut, 3, {window, 3, 64, 2}), make_event(RmaOpCompleteBlocking, 4, {window, 2}),
       make_event(RmaSync, 5, {window, 2, 0})});
  ASSERT_THAT(list_kinds(found.events), ElementsAre(RmaPut, RmaOpCompleteBlocking));
  EXPECT_EQ((get_field<"remote", RmaPut>(found.events[0])), 1u);
}

TEST_F(EventCutTest, KeepsRanksOfTheSelfCommunicator) {
  const auto found = reduce({make_event(MpiSend, 1, {0, self, 7, 8})});
  ASSERT_THAT(list_kinds(found.events), ElementsAre(MpiSend));
  EXPECT_EQ((get_field<"receiver", MpiSend>(found.events[0])), 0u);
}

TEST_F(EventCutTest, LeavesOutAnOperationOfWhichARecordIsInACollapsedIteration) {
  const auto found =
      reduce({make_event(MpiIsend, 1, {3, world, 7, 8, 4}), make_event(MpiIsendComplete, 2, {4}),
              make_event(ParameterInt, 3, {0, 1})},
             {1, 2});
  EXPECT_THAT(found.events, IsEmpty());
  EXPECT_EQ(found.cut[static_cast<std::size_t>(ParameterInt)], 1u);
}

TEST_F(EventCutTest, KeepsAnOperationWhoseTestIsInACollapsedIteration) {
  const auto found =
      reduce({make_event(MpiIsend, 1, {3, world, 7, 8, 4}), make_event(MpiRequestTest, 2, {4}),
              make_event(MpiIsendComplete, 3, {4})},
             {1});
  EXPECT_THAT(list_kinds(found.events), ElementsAre(MpiIsend, MpiIsendComplete));
}

TEST_F(EventCutTest, ChangesNothingWhereEverythingStays) {
  EventCut cut(partners_, 1, {}, true);
  auto event = make_event(MpiSend, 1, {0, world, 7, 8});
  EXPECT_TRUE(cut.keep(event, true));
  EXPECT_EQ((get_field<"receiver", MpiSend>(event)), 0u);
}

TEST_F(EventScanTest, FindsTheChannelOfEachOperation) {
  const auto found =
      reduce({make_event(MpiSend, 1, {3, world, 7, 8}), make_event(MpiRecv, 2, {3, world, 7, 8}),
              make_event(MpiCollectiveBegin, 3),
              make_event(MpiCollectiveEnd, 4, {1, self, 0, 4, 4})})
          .operations;
  using Kind = Channel::Kind;
  EXPECT_THAT(found.channel, ElementsAre(0, 1, 2));
  EXPECT_THAT(found.channels, ElementsAre(ChannelEnd{{Kind::message, world, 1, 3, 7}, false},
                                          ChannelEnd{{Kind::message, world, 3, 1, 7}, true},
                                          ChannelEnd{{Kind::collective, self, 1, 1, 0}, false}));
  EXPECT_EQ(found.process, 1u);
}

}  // namespace tracefold::event_cut_test
