// What clean events make of time in which the recorder does not measure, and of calls of
// accelerators that overlap.
#include "model/plan.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/stream_calls.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::skipped_time_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_event;
using ::testing::Pair;
using testing::TraceBuilder;

constexpr std::uint64_t f = 0, g = 1, h = 2;
constexpr std::uint64_t on = 1, off = 2;
constexpr Interval all{0, ~std::uint64_t{0}};

// Calls as "f+1" and "f-2", time that is skipped as "5..9", and the times of regions.
struct Log {
  std::vector<std::string> words;
  std::map<std::uint64_t, std::uint64_t> exclusive;

  void enter(const CallBegin& call, std::span<const Attribute>) {
    words.push_back(fmt::format("{}+{}", "fgh"[call.region], call.time));
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    words.push_back(fmt::format("{}-{}", "fgh"[call.region], call.time));
    exclusive[call.region] += call.exclusive;
  }
  void other(Event&) {}
  void unknown(std::uint64_t) {}
  void skip_time(const SkippedTime& time) {
    words.push_back(fmt::format("{}..{}{}", time.from, time.to, time.is_flush ? " flush" : ""));
  }
};

class SkippedTimeTest : public ::testing::Test {
 protected:
  SkippedTimeTest() {
    TraceBuilder builder;
    builder.add_region(f, "f").add_region(g, "g").add_region(h, "h");
    for (const auto& definition : builder.content().definitions)
      definitions_.add(definition);
    definitions_.finish();
    functions_.emplace(definitions_, std::vector<FilterSection>());
  }
  void switch_recording(auto& events, std::uint64_t time, std::uint64_t mode) {
    auto event = make_event(EventKind::MeasurementOnOff, time, {mode});
    events.other(event);
  }
  void flush(auto& events, std::uint64_t time, std::uint64_t until) {
    auto event = make_event(EventKind::BufferFlush, time, {until});
    events.other(event);
  }

  Definitions definitions_;
  std::optional<FunctionTable> functions_;
  Log log_;
};

TEST_F(SkippedTimeTest, IsNobodysWhileRecordingIsOff) {
  CleanEvents<Log> events(*functions_, log_);
  events.enter(0, f, {});
  events.enter(10, g, {});
  switch_recording(events, 20, off);
  switch_recording(events, 90, on);
  events.leave(95, g, {});
  switch_recording(events, 96, off);
  switch_recording(events, 98, on);
  events.leave(100, f, {});
  events.finish();

  EXPECT_THAT(log_.exclusive, ElementsAre(Pair(f, 10u + 1 + 2), Pair(g, 10u + 5)));
  EXPECT_THAT(log_.words, ElementsAre("f+0", "g+10", "20..90", "g-95", "96..98", "f-100"));
  EXPECT_EQ(events.set_aside().off.count_inside(all), 72u);
  EXPECT_EQ(events.set_aside().off.count_inside({80, 97}), 11u);
  EXPECT_THAT(log_.words, ElementsAre("f+0", "g+10", "20..90", "g-95", "96..98", "f-100"));
}

TEST_F(SkippedTimeTest, IsNobodysInCallsThatBeginOrEndWhileRecordingIsOff) {
  CleanEvents<Log> events(*functions_, log_);
  events.enter(0, f, {});
  events.enter(5, g, {});
  switch_recording(events, 10, off);
  events.leave(20, g, {});
  events.enter(30, h, {});
  switch_recording(events, 40, on);
  events.leave(47, h, {});
  switch_recording(events, 50, off);
  events.leave(60, f, {});
  events.finish();

  EXPECT_THAT(log_.exclusive, ElementsAre(Pair(f, 5u + 3), Pair(g, 5u), Pair(h, 7u)));
  EXPECT_EQ(events.set_aside().off.count_inside(all), 40u);
  EXPECT_EQ(events.last_time(), 60u);
}

TEST_F(SkippedTimeTest, IsMeasurementWhileABufferIsFlushed) {
  CleanEvents<Log> events(*functions_, log_);
  events.enter(0, f, {});
  flush(events, 10, 30);
  events.leave(40, f, {});
  events.enter(50, g, {});
  flush(events, 52, 90);
  events.leave(60, g, {});  // before the stop time
  events.finish();

  EXPECT_THAT(log_.exclusive, ElementsAre(Pair(f, 20u), Pair(g, 2u)));
  EXPECT_THAT(log_.words,
              ElementsAre("f+0", "10..30 flush", "f-40", "g+50", "52..60 flush", "g-60"));
  EXPECT_EQ(events.set_aside().flushes.count_inside(all), 28u);
  EXPECT_TRUE(events.set_aside().off.empty());
}

TEST_F(SkippedTimeTest, KeepsOdditiesWhileRecordingIsOff) {
  CleanEvents<Log> events(*functions_, log_);
  events.enter(0, f, {});
  switch_recording(events, 10, off);
  events.enter(5, g, {});   // steps back
  events.leave(20, h, {});  // of no open call
  events.leave(30, f, {});
  switch_recording(events, 40, on);
  events.finish();

  EXPECT_EQ(events.oddities().backward_times, 1u);
  EXPECT_EQ(events.oddities().overlapping_calls, 1u);
  EXPECT_THAT(log_.words, ElementsAre("f+0", "g+10", "10..20", "h-20", "20..30", "f-30", "30..40"));
}

TEST_F(SkippedTimeTest, GivesEachCallOfAStreamItsOwnTime) {
  StreamCalls<Log> events(*functions_, log_);
  events.enter(100, f, {});
  events.enter(150, g, {});
  events.leave(300, f, {});
  events.enter(310, h, {});
  events.leave(400, h, {});
  events.leave(800, g, {});
  events.enter(900, f, {});
  events.leave(901, f, {});
  events.finish();

  EXPECT_THAT(log_.exclusive, ElementsAre(Pair(f, 201u), Pair(g, 650u), Pair(h, 90u)));
  EXPECT_THAT(log_.words, ElementsAre("f+100", "f-300", "300..150", "g+150", "g-800", "800..310",
                                      "h+310", "h-400", "f+900", "f-901"));
  EXPECT_EQ(events.set_aside().overlaps.count_inside(all), 150u + 90);
  EXPECT_EQ(events.oddities().overlapping_calls, 0u);
}

TEST_F(SkippedTimeTest, ClosesTheOldestCallOfARegionOnAStream) {
  StreamCalls<Log> events(*functions_, log_);
  events.enter(0, f, {});
  events.enter(10, f, {});
  events.leave(30, f, {});
  events.leave(50, f, {});
  events.leave(60, g, {});  // sorted behind its Enter
  events.enter(60, g, {});
  events.leave(70, h, {});  // was never entered
  events.enter(80, h, {});  // is never left
  events.unknown(85);
  events.finish();

  EXPECT_THAT(log_.words,
              ElementsAre("f+0", "f-30", "30..10", "f+10", "f-50", "g+60", "g-60", "h+80", "h-85"));
  EXPECT_EQ(events.oddities().leaves_without_enter, 1u);
  EXPECT_EQ(events.oddities().calls_open_at_end, 1u);
}

TEST_F(SkippedTimeTest, PassesOnVeryManyCallsThatWaitForOne) {
  StreamCalls<Log> events(*functions_, log_);
  constexpr std::uint64_t calls = 20'000;
  events.enter(0, f, {});
  for (std::uint64_t k = 0; k < calls; ++k) {
    events.enter(10 * k, g, {});
    events.leave(10 * k + 4, g, {});
  }
  EXPECT_GT(log_.words.size(), calls);
  events.leave(10 * calls, f, {});
  events.finish();

  EXPECT_THAT(log_.exclusive, ElementsAre(Pair(f, 10 * calls), Pair(g, 4 * calls)));
}

TEST(SpreadTicks, MergesNeighboursWhenThereAreVeryMany) {
  SpreadTicks ticks;
  constexpr std::uint64_t pieces = 5 * SpreadTicks::most_pieces;
  for (std::uint64_t k = 0; k < pieces; ++k)
    ticks.add({100 * k, 100 * k + 10});

  EXPECT_EQ(ticks.count_inside(all), 10 * pieces);
  EXPECT_NEAR(static_cast<double>(ticks.count_inside({0, 50 * pieces})), 5.0 * pieces, 100);
  EXPECT_TRUE(SpreadTicks().empty());
  EXPECT_EQ(SpreadTicks().count_inside(all), 0u);
}

}  // namespace tracefold::skipped_time_test
