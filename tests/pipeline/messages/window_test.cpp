// What passes see of a trace in a window of time: calls, messages, metrics and calling contexts at
// its borders.
#include "base/error.hpp"
#include "model/plan.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/profile_plan.hpp"
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
    std::vector<std::string> shown;
    for (const auto& event : read_events(location, spans))
      shown.push_back(
          event.kind == Enter || event.kind == Leave
              ? fmt::format("{} {}@{}", get_row(event.kind).name, event.region(), event.time)
              : fmt::format("{}@{}", get_row(event.kind).name, event.time));
    return shown;
  }
  std::vector<Event> read_events(std::uint64_t location, const TimeSpans& spans) {
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
    return collector.take();
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

TEST_F(WindowTest, RecordingThatIsOffBeforeIsOff) {
  builder_.record(0, Enter, 10, {main_region});
  builder_.record(0, MeasurementOnOff, 20, {2});
  builder_.record(0, MeasurementOnOff, 80, {1});
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(
      read(0, {{30, 50}, {70, 90}}),
      ElementsAre("Enter 0@30", "MeasurementOnOff@30", "Leave 0@50", "MeasurementOnOff@50",
                  "Enter 0@70", "MeasurementOnOff@70", "MeasurementOnOff@80", "Leave 0@90"));
}

TEST_F(WindowTest, AFlushThatIsNotOverGoesOn) {
  builder_.record(0, Enter, 10, {main_region});
  builder_.record(0, BufferFlush, 20, {40});
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Enter 0@30", "BufferFlush@30", "Leave 0@60"));
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

TEST_F(WindowTest, HasNoTimesOfLocationsThatAreNotThere) {
  call(0, main_region, 10, 100);
  const testing::TestFolder folder;
  const auto archive = builder_.write(folder.path());
  std::vector<FilterSection> filters(1);
  filters[0].time = TimeWindow{{{30, 60}}, {{9, {{30, 60}}}}};
  try {
    look_at_window(archive, filters, {});
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
  }
}

// Metric 0 accumulates, metric 1 records increments, metric 2 has one of each, metric 3 is a level.
class MetricWindowTest : public WindowTest {
 protected:
  MetricWindowTest() {
    constexpr std::uint64_t level = otf2_value::metric_absolute_next;
    const std::uint64_t modes[] = {otf2_value::metric_accumulated, otf2_value::metric_relative,
                                   level};
    const char* names[] = {"total", "step", "level"};
    for (std::uint64_t member = 0; member < 3; ++member)
      builder_.define(DefinitionKind::MetricMember,
                      {member, builder_.string(names[member]), builder_.string(""), 0,
                       modes[member], otf2_value::type_uint64, 0, 0, builder_.string("1")});
    builder_.define(DefinitionKind::MetricClass, {0, 1, 0, 0}, {0});
    builder_.define(DefinitionKind::MetricClass, {1, 1, 0, 0}, {1});
    builder_.define(DefinitionKind::MetricClass, {2, 2, 0, 0}, {0, 1});
    builder_.define(DefinitionKind::MetricClass, {3, 1, 0, 0}, {2});
  }

  void measure(std::uint64_t metric, std::uint64_t time, const std::vector<std::uint64_t>& values) {
    auto list = std::vector<std::uint64_t>(values.size(), otf2_value::type_uint64);
    list.insert(list.end(), values.begin(), values.end());
    builder_.record(0, Metric, time, {metric, values.size()}, list);
  }

  // What location 0 recorded of a counter in some spans, by `profile`: of all calls, and outside.
  std::uint64_t count(const std::string& counter, const TimeSpans& spans) {
    const testing::TestFolder folder;
    const auto archive = builder_.write(folder.path());
    auto plan = make_plan(archive, {});
    plan.filters.resize(1);
    plan.filters[0].time = TimeWindow{spans, {}};
    Diagnostics diagnostics;
    const Context context{diagnostics};
    PlanSession session(std::move(plan), PlanUse::any, context);
    const auto calls = read_process_profiles(session, {}, {}).calls;

    const auto column = calls.columns.find(counter);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; column && k < calls.shape(0).paths.size(); ++k)
      sum += calls.value(0, k, *column);
    return sum / calls.columns.counter(*column)->steps_per_unit;
  }
};

TEST_F(MetricWindowTest, HasLastValuesButNoIncrementsFromBefore) {
  for (const std::uint64_t time : {10, 20, 40})
    for (const std::uint64_t metric : {0, 1})
      measure(metric, time, {time});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Metric@30", "Metric@40", "Metric@40"));
}

TEST_F(MetricWindowTest, RestatesValuesBesideIncrementsOfNothing) {
  measure(2, 20, {100, 7});
  call(0, main_region, 25, 50);

  const auto events = read_events(0, {{30, 60}});
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, Metric);
  EXPECT_THAT(events[0].list,
              ElementsAre(otf2_value::type_uint64, otf2_value::type_uint64, 100u, 0u));
  EXPECT_EQ(events[1].kind, Enter);
}

TEST_F(MetricWindowTest, CountersRightAtABorderTellWhatWasBefore) {
  builder_.record(0, Enter, 10, {main_region});
  for (const std::uint64_t time : {30, 60})
    for (const std::uint64_t metric : {0, 1, 3})
      measure(metric, time, {time});
  builder_.record(0, Leave, 100, {main_region});

  EXPECT_THAT(read(0, 30, 60), ElementsAre("Metric@30", "Enter 0@30", "Metric@30", "Metric@60",
                                           "Metric@60", "Leave 0@60"));
  EXPECT_THAT(read(0, 60, 90),
              ElementsAre("Metric@60", "Metric@60", "Enter 0@60", "Metric@60", "Leave 0@90"));
}

TEST_F(MetricWindowTest, ValuesGoOnWhereTheyWereInTheSpanBefore) {
  const auto show = [&](const TimeSpans& spans) {
    std::vector<std::uint64_t> values;
    for (const auto& event : read_events(0, spans))
      values.push_back(event.list[1]);
    return values;
  };
  // It begins anew at 70.
  for (const auto& [time, value] : {std::pair(10, 100),
                                    {20, 103},
                                    {30, 110},
                                    {40, 150},
                                    {50, 151},
                                    {60, 153},
                                    {70, 140},
                                    {80, 144}})
    measure(0, static_cast<std::uint64_t>(time), {static_cast<std::uint64_t>(value)});

  EXPECT_THAT(show({{15, 99}}), ElementsAre(100, 103, 110, 150, 151, 153, 140, 144));
  EXPECT_THAT(show({{15, 25}, {45, 99}}), ElementsAre(100, 103, 103, 104, 106, 106, 110));
}

TEST_F(MetricWindowTest, CountsWhatCountersGrewByInSpansOnly) {
  builder_.record(0, Enter, 0, {main_region});
  // As Score-P does: before each Enter and Leave, at its time.
  std::uint64_t total = 1000;
  for (std::uint64_t time = 10; time < 100; time += 10) {
    total += time;
    measure(0, time, {total});
    measure(1, time, {time});
    builder_.record(0, time / 10 % 2 ? Enter : Leave, time, {send_region});
  }
  builder_.record(0, Leave, 100, {send_region});
  builder_.record(0, Leave, 100, {main_region});

  for (const auto* counter : {"total", "step"}) {
    EXPECT_EQ(count(counter, {{30, 40}}), 40u) << counter;
    EXPECT_EQ(count(counter, {{30, 40}, {70, 80}}), 120u) << counter;
    EXPECT_EQ(count(counter, {{30, 40}, {41, 49}, {70, 80}}), 120u) << counter;
    // Windows that tile the time have all of it; of the first value nobody knows since when.
    EXPECT_EQ(
        count(counter, {{0, 35}}) + count(counter, {{35, 60}}) + count(counter, {{60, no_end}}),
        count(counter, {{0, no_end}}))
        << counter;
  }
}

}  // namespace tracefold::window_test
