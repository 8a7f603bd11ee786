// What processes do over time, of a made trace in which that is known.
#include "pipeline/answers/read_timeline.hpp"

#include "pipeline/reduce/plan_session.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::read_timeline_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;

constexpr auto world = TraceBuilder::world;
constexpr std::uint64_t solve = 0, receive = 1, send = 2;

// Rank 0 sends two messages to rank 1, which waits longer for the second one.
TraceBuilder make_trace() {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.add_region(solve, "solve").add_region(receive, "MPI_Recv").add_region(send, "MPI_Send");
  trace.record(0, Enter, 0, {solve});
  for (const std::uint64_t time : {2000, 7000})
    trace.record(0, Enter, time, {send})
        .record(0, MpiSend, time + 10, {1, world, 7, 8})
        .record(0, Leave, time + 100, {send});
  trace.record(0, Leave, 8000, {solve});
  trace.record(1, Enter, 0, {solve});
  trace.record(1, Enter, 2500, {receive})
      .record(1, MpiRecv, 2590, {0, world, 7, 8})
      .record(1, Leave, 2600, {receive});
  trace.record(1, Enter, 4000, {receive})
      .record(1, MpiRecv, 7290, {0, world, 7, 8})
      .record(1, Leave, 7300, {receive});
  trace.record(1, Leave, 10000, {solve});
  return trace;
}

std::optional<ReportTimeline> read(TraceBuilder trace, const std::vector<std::size_t>& processes,
                                   const TimelineLimits& most = {1000, 1 << 20, 4000}) {
  const testing::TestFolder folder;
  trace.write(folder.path());
  Diagnostics ignored;
  const Context context{ignored};
  PlanSession session(open_trace((folder.path() / "traces.otf2").string(), ignored), context);
  session.profile();
  const PlannedTrace planned{session.archive(), session.plan(), {}, ignored};
  return read_timeline(planned, processes, {0, 10'000}, {{"MPI_Recv", Paradigm::point_to_point}},
                       most);
}

TEST(Timeline, HasTheFunctionWithMostTimeInEachCell) {
  const auto timeline = read(make_trace(), {0, 1}).value();
  EXPECT_DOUBLE_EQ(timeline.seconds, 1e-5);
  ASSERT_EQ(timeline.functions.size(), 3u);
  EXPECT_EQ(timeline.functions[0].name, "solve");
  EXPECT_EQ(timeline.functions[1].name, "MPI_Recv");
  EXPECT_EQ(timeline.functions[1].kind, Paradigm::point_to_point);
  ASSERT_EQ(timeline.levels.size(), 1u);
  const auto& cells = timeline.levels[0].functions;
  ASSERT_EQ(cells.size(), 2000u);
  EXPECT_EQ(cells[0], 0);
  EXPECT_EQ(cells[205], 2);
  EXPECT_EQ(cells[799], 0);
  EXPECT_EQ(cells[800], no_timeline_function);
  EXPECT_EQ(cells[1000 + 399], 0);
  EXPECT_EQ(cells[1000 + 400], 1);
  EXPECT_EQ(cells[1000 + 729], 1);
  EXPECT_EQ(cells[1000 + 730], 0);
}

TEST(Timeline, HasCoarserLevelsInWhichShortCallsMayBeMissing) {
  const auto timeline = read(make_trace(), {0}, {2048, 1 << 20, 4000}).value();
  ASSERT_EQ(timeline.levels.size(), 2u);
  EXPECT_EQ(timeline.levels[1].cells, 512u);
  // A cell has 19.5 ns.
  EXPECT_EQ(timeline.levels[1].functions[105], 1);
  EXPECT_EQ(timeline.levels[1].functions[110], 0);
}

TEST(Timeline, HasTheMessagesWhoseReceivesTakeLongest) {
  const auto both = read(make_trace(), {0, 1}).value();
  EXPECT_EQ(both.all_messages, 2u);
  ASSERT_EQ(both.messages.size(), 2u);
  EXPECT_EQ(both.messages[0].from, 0u);
  EXPECT_EQ(both.messages[0].to, 1u);
  EXPECT_FLOAT_EQ(both.messages[0].sent, 7010e-9f);
  EXPECT_FLOAT_EQ(both.messages[0].received, 7290e-9f);
  EXPECT_FLOAT_EQ(both.messages[1].sent, 2010e-9f);

  const auto one = read(make_trace(), {0, 1}, {1000, 1 << 20, 1}).value();
  EXPECT_EQ(one.all_messages, 2u);
  ASSERT_EQ(one.messages.size(), 1u);
  EXPECT_FLOAT_EQ(one.messages[0].sent, 7010e-9f);
}

TEST(Timeline, HasNoMessagesOfOthers) {
  EXPECT_THAT(read(make_trace(), {1}).value().messages, IsEmpty());
}

TEST(Timeline, SharesItsCellsAmongRows) {
  EXPECT_EQ(read(make_trace(), {0, 1}, {4096, 2048, 4000}).value().levels[0].cells, 1024u);
}

}  // namespace tracefold::read_timeline_test
