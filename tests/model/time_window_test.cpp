// Windows in time as people give them, and where they are in a trace.
#include "model/time_window.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace tracefold::time_window_test {

TimeSpans place(const std::string& text) {
  return place_window(parse_window(text), 1000, 3000, 1'000'000).spans;  // 2 ms at one tick a us
}

TEST(TimeWindow, CountsFromTheFirstEvent) {
  EXPECT_EQ(place("0.0005s-1ms"), (TimeSpans{{1500, 2000}}));
  EXPECT_EQ(place("250us-750us"), (TimeSpans{{1250, 1750}}));
  EXPECT_EQ(place("25%-50%"), (TimeSpans{{1500, 2000}}));
  EXPECT_EQ(place("50%-1500us"), (TimeSpans{{2000, 2500}}));
}

TEST(TimeWindow, HasAllThatIsBeforeOrBehindWhereNoBorderIsGiven) {
  EXPECT_EQ(place("-500us"), (TimeSpans{{0, 1500}}));
  EXPECT_EQ(place("0s-500us"), (TimeSpans{{0, 1500}}));
  EXPECT_EQ(place("500us-"), (TimeSpans{{1500, no_end}}));
  EXPECT_EQ(place("50%-100%"), (TimeSpans{{2000, no_end}}));
}

TEST(TimeWindow, RefusesWhatIsNone) {
  for (const std::string text : {"", "-", "2s", "2-3", "s-3s", "3s-2s", "2s-2s", "50%-101%", "-1x",
                                 "1e3s-", "--2s", "1s-2s-3s", "nan%-", "inf s-"})
    EXPECT_THROW(parse_window(text), Error) << text;
}

TEST(TimeWindow, ReadsALengthOfTime) {
  EXPECT_DOUBLE_EQ(parse_length("1us"), 1e-6);
  EXPECT_DOUBLE_EQ(parse_length("0.5ms"), 5e-4);
  for (const std::string text : {"", "0us", "1", "-1us", "5%", "us", "1us-2us"})
    EXPECT_THROW(parse_length(text), Error) << text;
}

TEST(TimeWindow, RefusesWhatIsBehindTheTrace) {
  EXPECT_THROW(place("3ms-4ms"), Error);
  EXPECT_THROW(place("60%-100us"), Error);
  EXPECT_THROW(place("0s-0.1us"), Error);
}

TEST(TimeWindow, IntersectsWithAnother) {
  const TimeWindow a{{{10, 30}, {40, 50}}, {{7, {{12, 20}}}}};
  EXPECT_EQ(intersect(a, {{{20, 45}}}), (TimeWindow{{{20, 30}, {40, 45}}, {{7, {}}}}));
  EXPECT_EQ(intersect(a, {{{15, 45}}, {{8, {{0, 99}}}}}),
            (TimeWindow{{{15, 30}, {40, 45}}, {{7, {{15, 20}}}, {8, {{10, 30}, {40, 50}}}}}));
  EXPECT_THROW(intersect(a, {{{30, 40}}}), Error);
}

TEST(TimeWindow, JoinsSpansThatTouch) {
  EXPECT_EQ(join_spans({{40, 50}, {10, 20}, {20, 30}, {15, 18}, {60, 60}}),
            (TimeSpans{{10, 30}, {40, 50}}));
  EXPECT_TRUE(join_spans({}).empty());
}

TEST(TimeWindow, HasTheBeginOfASpanButNotItsEnd) {
  const TimeSpans spans{{10, 30}, {40, 50}};
  for (const std::uint64_t inside : {10, 29, 40, 49})
    EXPECT_TRUE(is_inside(spans, inside)) << inside;
  for (const std::uint64_t outside : {0, 9, 30, 39, 50, 99})
    EXPECT_FALSE(is_inside(spans, outside)) << outside;
  EXPECT_FALSE(is_inside({}, 1));
}

TEST(TimeWindow, HasCallsThatAreOpenAnywhereInASpan) {
  const TimeSpans spans{{10, 30}, {40, 50}};
  for (const auto& [begin, end] :
       {std::pair(5, 11), {5, 99}, {10, 10}, {29, 35}, {30, 41}, {45, 46}})
    EXPECT_TRUE(is_open_inside(spans, begin, end)) << begin;
  for (const auto& [begin, end] : {std::pair(0, 10), {30, 40}, {31, 35}, {50, 99}})
    EXPECT_FALSE(is_open_inside(spans, begin, end)) << begin;
}

// A search span by span would take minutes.
TEST(TimeWindow, FindsSpansAmongManyAtOnce) {
  TimeSpans spans;
  for (std::uint64_t k = 0; k < 1'000'000; ++k)
    spans.push_back({1'000'000'000 + 10 * k, 1'000'000'005 + 10 * k});

  for (std::uint64_t k = 0; k < 1'000'000; ++k) {
    ASSERT_FALSE(is_open_inside(spans, k, k + 1));
    ASSERT_FALSE(is_open_inside(spans, 1'000'000'005 + 10 * k, 1'000'000'010 + 10 * k));
  }
}

TEST(TimeWindow, SpansHaveToAscend) {
  EXPECT_TRUE(are_ascending({{10, 30}, {40, 50}}));
  EXPECT_FALSE(are_ascending({{10, 30}, {30, 50}}));
  EXPECT_FALSE(are_ascending({{30, 30}}));
}

}  // namespace tracefold::time_window_test
