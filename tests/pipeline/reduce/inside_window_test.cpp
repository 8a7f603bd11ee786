// When calls of some functions are open, by location.
#include "pipeline/reduce/inside_window.hpp"
#include "base/error.hpp"
#include "otf2/otf2_values.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::inside_window_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum EventKind;

constexpr std::uint64_t main_region = 0, solve = 1, step = 2;

class InsideWindow : public ::testing::Test {
 protected:
  InsideWindow() {
    builder_.add_region(main_region, "main").add_region(solve, "solve").add_region(step, "step");
  }

  void enter(std::uint64_t location, std::uint64_t time, std::uint64_t region) {
    builder_.record(location, Enter, time, {region});
  }
  void leave(std::uint64_t location, std::uint64_t time, std::uint64_t region) {
    builder_.record(location, Leave, time, {region});
  }
  void call(std::uint64_t location, std::uint64_t begin, std::uint64_t end, std::uint64_t region) {
    enter(location, begin, region);
    leave(location, end, region);
  }

  TimeWindow find(const std::vector<std::string>& patterns) {
    const testing::TestFolder folder;
    return find_inside_window(builder_.write(folder.path()), patterns, {});
  }

  testing::TraceBuilder builder_;
};

TEST_F(InsideWindow, IsFromTheFirstEnterToTheLastLeaveOfCallsInEachOther) {
  builder_.add_location_group(0, {0});
  enter(0, 10, solve);
  enter(0, 20, step);
  call(0, 30, 40, solve);
  leave(0, 50, step);
  leave(0, 60, solve);
  call(0, 70, 80, step);
  EXPECT_THAT(find({"solve"}).find_spans(0), ElementsAre(TimeSpan{10, 60}));
  EXPECT_THAT(find({"step"}).find_spans(0), ElementsAre(TimeSpan{20, 50}, TimeSpan{70, 80}));
  EXPECT_THAT(find({"solve", "st*"}).find_spans(0),
              ElementsAre(TimeSpan{10, 60}, TimeSpan{70, 80}));
}

TEST_F(InsideWindow, JoinsCallsThatFollowAtOnceAndHasNoneThatTakeNoTime) {
  builder_.add_location_group(0, {0});
  call(0, 10, 20, solve);
  call(0, 20, 30, solve);
  call(0, 40, 40, solve);
  EXPECT_THAT(find({"solve"}).find_spans(0), ElementsAre(TimeSpan{10, 30}));
}

TEST_F(InsideWindow, IsThatOfTheProcessForThreadsAndStreamsWithoutCalls) {
  builder_.add_location_group(0, {0, 1, 2}).add_location_group(1, {3});
  builder_.add_location_group(2, {4}, otf2_value::location_group_accelerator, 0);
  call(0, 10, 20, solve);
  call(1, 15, 40, solve);
  for (std::uint64_t location = 0; location < 5; ++location)
    call(location, 50, 60, step);
  const auto window = find({"solve"});
  EXPECT_THAT(window.find_spans(0), ElementsAre(TimeSpan{10, 20}));
  EXPECT_THAT(window.find_spans(1), ElementsAre(TimeSpan{15, 40}));
  EXPECT_THAT(window.find_spans(2), ElementsAre(TimeSpan{10, 40}));
  EXPECT_THAT(window.find_spans(3), IsEmpty());
  EXPECT_THAT(window.find_spans(4), ElementsAre(TimeSpan{10, 40}));
  EXPECT_THAT(window.spans, ElementsAre(TimeSpan{10, 40}));
}

TEST_F(InsideWindow, RefusesWhatWasNeverCalled) {
  builder_.add_location_group(0, {0});
  call(0, 10, 20, step);
  EXPECT_THROW(find({"solve"}), Error);
}

}  // namespace tracefold::inside_window_test
