#include "pipeline/answers/read_call_tree.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace tracefold::read_call_tree_test {

using ::testing::Optional;

// Makes calls as clean events have them.
class CallFeeder {
 public:
  explicit CallFeeder(std::size_t most) : sink_(most) {}

  void enter(FunctionIndex function) {
    sink_.enter({++now_, 0, function, virtual_root}, {});
    begins_.push_back(now_);
  }
  void leave() {
    sink_.leave({++now_, 0, 0, now_ - begins_.back(), 0}, {});
    begins_.pop_back();
  }
  ProcessCalls take() { return sink_.take(); }

 private:
  CallTreeSink sink_;
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> begins_;
};

TEST(CallTreeSink, KeepsCallsWithThoseAroundThem) {
  CallFeeder feeder(10);
  feeder.enter(4);
  feeder.enter(5);
  feeder.leave();
  feeder.enter(6);
  feeder.leave();
  feeder.leave();
  const auto found = feeder.take();
  ASSERT_EQ(found.calls.size(), 3u);
  EXPECT_EQ(found.calls[0].caller, not_a_call);
  EXPECT_EQ(found.calls[0].end, 3u);
  EXPECT_EQ(found.calls[0].inclusive, 5u);
  EXPECT_EQ(found.calls[2].caller, 0u);
  EXPECT_EQ(found.calls[2].function, 6u);
  EXPECT_EQ(found.calls[1].end, 2u);
  EXPECT_TRUE(found.has_end);
  EXPECT_EQ(found.least_depth, std::nullopt);
}

TEST(CallTreeSink, LeavesOutTheDeepestOfTooManyCalls) {
  CallFeeder feeder(8);
  feeder.enter(0);
  for (FunctionIndex k = 1; k <= 5; ++k) {
    feeder.enter(k);
    feeder.enter(9);
    feeder.leave();
    feeder.leave();
  }
  feeder.leave();
  const auto found = feeder.take();
  EXPECT_THAT(found.least_depth, Optional(2u));
  EXPECT_EQ(found.all_calls, 11u);
  EXPECT_TRUE(found.has_end);
  ASSERT_EQ(found.calls.size(), 6u);
  for (std::uint32_t k = 1; k <= 5; ++k) {
    EXPECT_EQ(found.calls[k].function, k);
    EXPECT_EQ(found.calls[k].caller, 0u);
    EXPECT_EQ(found.calls[k].end, k + 1);
    EXPECT_EQ(found.calls[k].inclusive, 3u);
  }
  EXPECT_EQ(found.calls[0].end, 6u);
}

TEST(CallTreeSink, SaysThatLaterCallsAreLeftOutWhereNoneIsDeeper) {
  CallFeeder feeder(3);
  for (int k = 0; k < 5; ++k) {
    feeder.enter(1);
    feeder.leave();
  }
  const auto found = feeder.take();
  EXPECT_EQ(found.calls.size(), 3u);
  EXPECT_FALSE(found.has_end);
}

}  // namespace tracefold::read_call_tree_test
