// What passes see of a trace in a window of time: calls, messages, metrics and calling contexts at
// its borders.
#include "model/plan.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/window/find_crossing.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::window_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t main_region = 0, send_region = 1, world = TraceBuilder::world;

class WindowTest : public ::testing::Test {
 protected:
  WindowTest() {
    builder_.add_mpi_processes(2);
    builder_.add_region(main_region, "main").add_region(send_region, "MPI_Send");
  }

  void call(std::uint64_t location, std::uint64_t region, std::uint64_t begin, std::uint64_t end) {
    builder_.record(location, Enter, begin, {region});
    builder_.record(location, Leave, end, {region});
  }

  // The events of a location in [begin, end), as "kind@time" and the first field of calls.
  std::vector<std::string> read(std::uint64_t location, std::uint64_t begin, std::uint64_t end) {
    return read(location, TimeSpans{{begin, end}});
  }
  std::vector<std::string> read(std::uint64_t location, const TimeSpans& spans) {
    const testing::TestFolder folder;
    const auto archive = builder_.write(folder.path());
    std::vector<FilterSection> filters(1);
    filters[0].time = TimeWindow{spans, {}};
    look_at_window(archive, filters, {});
    const FunctionTable functions(archive.definitions(), filters);

    Diagnostics diagnostics;
    const std::vector<std::uint64_t> batch{location};
    EventReader reader(archive, batch, {}, diagnostics);
    testing::EventCollector collector;
    read_clean_events(reader, location, functions, collector);

    std::vector<std::string> shown;
    for (const auto& event : collector.take())
      shown.push_back(
          event.kind == Enter || event.kind == Leave
              ? fmt::format("{} {}@{}", get_row(event.kind).name, event.region(), event.time)
              : fmt::format("{}@{}", get_row(event.kind).name, event.time));
    return shown;
  }

  TraceBuilder builder_;
};

TEST_F(WindowTest, CallsThatAreOpenAtABorderBeginAndEndThere) {
  builder_.record(0, Enter, 10, {main_region});
  call(0, send_region, 20, 40);
  call(0, send_region, 50, 70);
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Enter 0@30", "Enter 1@30", "Leave 1@40", "Enter 1@50",
                                           "Leave 1@60", "Leave 0@60"));
}

TEST_F(WindowTest, ACallThatIsOpenAllTheTimeFillsTheWindow) {
  call(0, main_region, 10, 100);
  EXPECT_THAT(read(0, 30, 60), ElementsAre("Enter 0@30", "Leave 0@60"));
}

TEST_F(WindowTest, ThereMayBeSeveralSpans) {
  builder_.record(0, Enter, 10, {main_region});
  call(0, send_region, 20, 40);
  call(0, send_region, 70, 85);
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(read(0, {{30, 50}, {55, 60}, {85, 95}}),
              ElementsAre("Enter 0@30", "Enter 1@30", "Leave 1@40", "Leave 0@50", "Enter 0@55",
                          "Leave 0@60", "Enter 0@85", "Leave 0@95"));
}

TEST_F(WindowTest, CallsThatEndRightAtTheBeginAreOver) {
  builder_.record(0, Enter, 10, {main_region});
  call(0, send_region, 20, 30);
  call(0, send_region, 30, 40);
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Enter 0@30", "Enter 1@30", "Leave 1@40", "Leave 0@60"));
}

TEST_F(WindowTest, WhatIsOverBeforeOrBeginsBehindHasNothing) {
  call(0, main_region, 10, 20);
  call(1, main_region, 60, 70);
  EXPECT_THAT(read(0, 30, 60), IsEmpty());
  EXPECT_THAT(read(1, 30, 60), IsEmpty());
}

TEST_F(WindowTest, MessagesThatCrossABorderAreLeftOutAtBothEnds) {
  for (const std::uint64_t rank : {0, 1})
    builder_.record(rank, Enter, 0, {main_region});
  builder_.record(0, MpiSend, 20, {1, world, 0, 8});
  builder_.record(0, MpiSend, 35, {1, world, 0, 8});
  builder_.record(0, MpiSend, 55, {1, world, 0, 8});
  builder_.record(1, MpiRecv, 32, {0, world, 0, 8});
  builder_.record(1, MpiRecv, 40, {0, world, 0, 8});
  builder_.record(1, MpiRecv, 65, {0, world, 0, 8});
  for (const std::uint64_t rank : {0, 1})
    builder_.record(rank, Leave, 100, {main_region});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Enter 0@30", "MpiSend@35", "Leave 0@60"));
  EXPECT_THAT(read(1, 30, 60), ElementsAre("Enter 0@30", "MpiRecv@40", "Leave 0@60"));
}

TEST_F(WindowTest, ACollectiveStaysWhereAllMembersAreInside) {
  for (const std::uint64_t rank : {0, 1})
    builder_.record(rank, Enter, 0, {main_region});
  for (const auto& [rank, begin] :
       {std::pair(0, 25), std::pair(1, 32), std::pair(0, 41), std::pair(1, 42)}) {
    builder_.record(rank, MpiCollectiveBegin, begin);
    builder_.record(rank, MpiCollectiveEnd, begin + 10, {0, world, 0xffffffff, 0, 0});
  }
  for (const std::uint64_t rank : {0, 1})
    builder_.record(rank, Leave, 100, {main_region});

  EXPECT_THAT(read(1, 30, 60), ElementsAre("Enter 0@30", "MpiCollectiveBegin@42",
                                           "MpiCollectiveEnd@52", "Leave 0@60"));
}

TEST_F(WindowTest, MetricsHaveTheirLastValuesButNotIncrements) {
  const auto define = [&](std::uint64_t id, std::uint64_t mode) {
    builder_.define(DefinitionKind::MetricMember,
                    {id, builder_.string("value"), builder_.string(""), 0, mode,
                     otf2_value::type_uint64, 0, 0, builder_.string("1")});
    builder_.define(DefinitionKind::MetricClass, {id, 1, 0, 0}, {id});
  };
  define(0, otf2_value::metric_accumulated);
  define(1, otf2_value::metric_relative);
  for (const std::uint64_t time : {10, 20, 40})
    for (const std::uint64_t metric : {0, 1})
      builder_.record(0, Metric, time, {metric, 1}, {otf2_value::type_uint64, time});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Metric@30", "Metric@40", "Metric@40"));
}

}  // namespace tracefold::window_test
