#include "pipeline/replay/fit_network.hpp"

#include "tests/support/mpi_program.hpp"

#include <gmock/gmock.h>

namespace tracefold::fit_network_test {

using ::testing::DoubleNear;

TEST(FitNetwork, IsExactWhereTimesAre) {
  std::vector<MessageTime> messages;
  for (std::uint64_t k = 0; k < 40; ++k)
    messages.push_back({k % 4 * 1000, 500 + k % 4 * 2000});
  const auto fit = fit_network(messages);
  ASSERT_TRUE(fit);
  EXPECT_THAT(fit->latency, DoubleNear(500, 1e-6));
  EXPECT_THAT(fit->per_byte, DoubleNear(2, 1e-9));
  EXPECT_THAT(fit->error, DoubleNear(0, 1e-9));
  EXPECT_EQ(fit->messages, 40);
}

// Messages of two sizes take turns, and are many, of which some are left out.
TEST(FitNetwork, DoesNotDependOnHowSizesFollowEachOther) {
  testing::MpiProgram of(2);
  for (std::uint64_t k = 1; k <= 3000; ++k) {
    const bool is_long = k % 2 == 0;
    of.send(1, 0, 1000 * k, 1000 * k + 5, is_long ? 64 : 8);
    of.receive(0, 1, 1000 * k - 40, 1000 * k + (is_long ? 260 : 36), is_long ? 64 : 8);
  }
  const auto plan = testing::record(of.end(4'000'000));
  ASSERT_FALSE(plan.program->replays.empty());
  const auto& fit = plan.program->replays.front().network;
  ASSERT_TRUE(fit);
  EXPECT_LE(fit->messages, 1024);
  EXPECT_THAT(fit->latency, DoubleNear(4, 1e-6));
  EXPECT_THAT(fit->per_byte, DoubleNear(4, 1e-9));
  EXPECT_THAT(fit->error, DoubleNear(0, 1e-9));
}

// 100 to 340 ticks for messages of one size: 220 are off by 0.35 for the one in the middle.
TEST(FitNetwork, TellsTheErrorForTheOthers) {
  std::vector<MessageTime> messages;
  for (std::uint64_t k = 0; k < 500; ++k)
    messages.push_back({8, 100 + k % 5 * 60});
  const auto fit = fit_network(messages);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->latency, 220);
  EXPECT_THAT(fit->error, DoubleNear(0.35, 0.01));
}

TEST(FitNetwork, IsNotOfFewMessages) {
  EXPECT_FALSE(fit_network(std::vector<MessageTime>(19, {8, 100})));
  EXPECT_TRUE(fit_network(std::vector<MessageTime>(20, {8, 100})));
}

// Only messages that somebody waited for: 30 ticks from 100 k on; others are there already.
TEST(FitNetwork, IsOfMessagesThatAreWaitedFor) {
  testing::MpiProgram of(2);
  for (std::uint64_t k = 1; k <= 40; ++k) {
    const bool waits = k % 4 != 0;
    of.send(1, 0, 100 * k, 100 * k + 5);
    of.receive(0, 1, waits ? 100 * k - 40 : 100 * k + 10, 100 * k + 30);
  }
  const auto plan = testing::record(of.end(5000));
  ASSERT_FALSE(plan.program->replays.empty());
  const auto& fit = plan.program->replays.front().network;
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->messages, 30);
  EXPECT_EQ(fit->latency, 30);
  EXPECT_EQ(fit->error, 0);
}

}  // namespace tracefold::fit_network_test
