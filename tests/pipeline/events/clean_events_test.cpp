#include "pipeline/events/clean_events.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::clean_events_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t f = 10, g = 11, h = 12, g_again = 13, undefined_region = 99;

Definition string_of(std::uint64_t id, const std::string& text) {
  Definition d;
  d.kind = DefinitionKind::String;
  d.fields[0] = id;
  d.text = text;
  return d;
}

Definition region_of(std::uint64_t id, std::uint64_t name) {
  Definition d;
  d.kind = DefinitionKind::Region;
  d.fields = {id, name, name, name};
  return d;
}

Definitions regions() {
  Definitions definitions;
  definitions.add(string_of(1, "f"));
  definitions.add(string_of(2, "g"));
  definitions.add(string_of(3, "h"));
  definitions.add(region_of(f, 1));
  definitions.add(region_of(g, 2));
  definitions.add(region_of(h, 3));
  definitions.add(region_of(g_again, 2));  // one function of two regions
  definitions.finish();

  return definitions;
}

// What arrives, as "f+1" for entering f at 1 and "f-2" for leaving it.
struct Log {
  std::vector<std::string> words;
  void enter(const CallBegin& call, std::span<const Attribute>) {
    add(call.region, '+', call.time);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) { add(call.region, '-', call.time); }
  void other(Event& e) { words.push_back(fmt::format("other {}", e.time)); }
  void unknown(std::uint64_t time) { words.push_back(fmt::format("unknown {}", time)); }
  void add(std::uint64_t region, char sign, std::uint64_t time) {
    const char* names[] = {"f", "g", "h", "g'"};
    words.push_back(fmt::format("{}{}{}", region <= g_again ? names[region - f] : "?", sign, time));
  }
};

class CleanEventsTest : public ::testing::Test {
 protected:
  void drop(std::vector<std::string> globs) {
    functions_ = FunctionTable(definitions_, {{std::move(globs), {}, ""}});
  }
  CleanEvents<Log> clean() { return {functions_, log_}; }
  static std::vector<std::string> warnings(const CleanEvents<Log>& events) {
    Diagnostics diagnostics;
    events.oddities().warn(diagnostics, 7);
    return diagnostics.warnings();
  }
  Definitions definitions_ = regions();
  FunctionTable functions_{definitions_, {}};
  Log log_;
};

TEST_F(CleanEventsTest, HandsOnCallsThatNest) {
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.leave(3, g, {});
  events.leave(4, f, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "g+2", "g-3", "f-4"));
  EXPECT_THAT(warnings(events), IsEmpty());
}

TEST_F(CleanEventsTest, DropsDeepCallsOfTheProgram) {
  FilterSection filter;
  filter.max_depth = 1;
  functions_ = FunctionTable(definitions_, {filter});
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.enter(3, h, {});
  events.leave(4, h, {});
  events.leave(5, g, {});
  events.leave(6, f, {});
  events.enter(7, g, {});
  events.leave(8, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "f-6", "g+7", "g-8"));
  EXPECT_THAT(warnings(events), IsEmpty());
}

TEST_F(CleanEventsTest, ClampsATimeThatStepsBack) {
  auto events = clean();
  events.enter(10, f, {});
  Event other;
  other.time = 4;
  events.other(other);
  events.unknown(6);
  events.leave(9, f, {});
  events.enter(11, g, {});
  events.leave(12, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+10", "other 10", "unknown 10", "f-10", "g+11", "g-12"));
  EXPECT_THAT(
      warnings(events),
      ElementsAre("time stamps that step back were set to the last one: 3 records in location 7"));
}

TEST_F(CleanEventsTest, DropsALeaveWithNothingOpen) {
  auto events = clean();
  events.leave(1, f, {});
  events.enter(2, g, {});
  events.leave(3, g, {});
  events.leave(4, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("g+2", "g-3"));
  EXPECT_THAT(warnings(events), ElementsAre(HasSubstr("never entered")));
}

TEST_F(CleanEventsTest, LeavesAMismatchedLeaveAsRecorded) {
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.leave(3, f, {});
  events.leave(4, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "g+2", "f-3", "g-4"));
  EXPECT_THAT(warnings(events), ElementsAre(HasSubstr("overlap instead of nesting")));
}

// Profilers of GPUs sort the records of one time so that every Leave comes before every Enter.
TEST_F(CleanEventsTest, PutsCallsOfNoLengthInOrder) {
  auto events = clean();
  Event metric;
  metric.time = 7;
  events.leave(1, f, {});
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.leave(5, g, {});
  events.leave(5, h, {});
  events.leave(5, f, {});
  events.enter(5, h, {});
  events.enter(5, f, {});
  events.enter(6, g, {});
  events.leave(7, f, {});
  events.other(metric);
  events.enter(7, f, {});
  events.leave(8, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "f-1", "g+2", "g-5", "h+5", "h-5", "f+5", "f-5", "g+6",
                                      "other 7", "f+7", "f-7", "g-8"));
  EXPECT_THAT(warnings(events), IsEmpty());
  EXPECT_EQ(events.last_time(), 8u);
}

TEST_F(CleanEventsTest, AppliesALeaveThatNoEnterFollows) {
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.leave(3, h, {});
  events.enter(3, f, {});  // another region
  events.leave(4, f, {});
  events.leave(5, h, {});
  events.enter(6, h, {});  // later
  events.leave(7, h, {});
  events.leave(8, g, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "g+2", "h-3", "f+3", "f-4", "h-5", "h+6", "h-7"));
  EXPECT_THAT(warnings(events), ElementsAre(HasSubstr("never entered"), HasSubstr("overlap")));
}

TEST_F(CleanEventsTest, DropsCallsOfNoLengthOfDroppedRegions) {
  drop({"h"});
  auto events = clean();
  events.enter(1, f, {});
  events.leave(2, h, {});
  events.enter(2, h, {});
  events.leave(3, f, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "f-3"));
  EXPECT_THAT(warnings(events), IsEmpty());
}

TEST_F(CleanEventsTest, TakesTwoRegionsOfOneFunctionForOne) {
  auto events = clean();
  events.enter(1, g, {});
  events.leave(2, g_again, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("g+1", "g'-2"));
  EXPECT_THAT(warnings(events), IsEmpty());
}

TEST_F(CleanEventsTest, ClosesCallsThatAreOpenAtTheEnd) {
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.unknown(8);
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "g+2", "unknown 8", "g-8", "f-8"));
  EXPECT_THAT(warnings(events), ElementsAre(HasSubstr("still open")));
}

TEST_F(CleanEventsTest, JoinsTheCalleesOfADroppedRegionToItsCaller) {
  drop({"g"});
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.enter(3, h, {});
  events.leave(4, h, {});
  events.leave(5, g, {});
  events.leave(6, f, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "h+3", "h-4", "f-6"));
}

TEST_F(CleanEventsTest, NamesNoDroppedRegionInAMismatchedLeave) {
  drop({"g"});
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, g, {});
  events.enter(3, h, {});
  events.leave(4, g, {});  // closes h
  events.leave(5, h, {});  // closes g, which is dropped
  events.leave(6, f, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "h+3", "h-4", "f-6"));
}

TEST_F(CleanEventsTest, DropsOpenCallsOfDroppedRegionsAtTheEnd) {
  drop({"f"});
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, h, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("h+2", "h-2"));
}

TEST_F(CleanEventsTest, DropsCallsOfUndefinedRegions) {
  auto events = clean();
  events.enter(1, undefined_region, {});
  events.enter(2, g, {});
  events.leave(3, g, {});
  events.leave(4, undefined_region, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("g+2", "g-3"));
  EXPECT_THAT(warnings(events), ElementsAre(HasSubstr("undefined regions")));
}

TEST_F(CleanEventsTest, CountsRecordsThatItDrops) {
  auto events = clean();
  events.leave(1, f, {});
  events.unknown(2);
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("unknown 2"));
  EXPECT_THAT(warnings(events), ::testing::SizeIs(1));
}

TEST_F(CleanEventsTest, ClosesCallsOfTheIdThatMeansNoRegion) {
  auto events = clean();
  events.enter(1, f, {});
  events.enter(2, 0xffffffff, {});
  events.enter(3, g, {});
  events.leave(4, g, {});
  events.leave(5, 0xffffffff, {});
  events.leave(6, f, {});
  events.finish();
  EXPECT_THAT(log_.words, ElementsAre("f+1", "g+3", "g-4", "f-6"));
}

}  // namespace tracefold::clean_events_test
