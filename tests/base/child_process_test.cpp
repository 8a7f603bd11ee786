#include "base/child_process.hpp"

#include "base/interrupt.hpp"

#include <gmock/gmock.h>

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace tracefold::child_process_test {

using namespace std::chrono_literals;

Moment in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

void note_signal(int number) {
  stop_signal.store(number);
}

// As the program does.
class ChildProcessTest : public ::testing::Test {
 protected:
  ChildProcessTest() { before_ = ::signal(SIGTERM, note_signal); }
  ~ChildProcessTest() override {
    ::signal(SIGTERM, before_);
    stop_signal.store(0);
  }

 private:
  void (*before_)(int) = SIG_DFL;
};

void wait_for_stop() {
  while (stop_signal.load() == 0)
    std::this_thread::sleep_for(1ms);
}

TEST_F(ChildProcessTest, HandsOverItsLastLine) {
  const std::string large(100'000, 'x');
  const auto ended = run_in_child(
      [&](const SendLine& send) {
        send("first");
        send(large);
      },
      {in(60s), in(60s)});
  EXPECT_EQ(ended.line, large);
  EXPECT_EQ(ended.signal, 0);
  EXPECT_FALSE(ended.ran_out_of_time);
}

TEST_F(ChildProcessTest, TakesNobodyWithItWhenItCrashes) {
  const auto ended = run_in_child(
      [](const SendLine& send) {
        send("so far");
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
      },
      {in(60s), in(60s)});
  EXPECT_EQ(ended.line, "so far");
  EXPECT_EQ(ended.signal, SIGSEGV);
}

TEST_F(ChildProcessTest, EndsQuietlyWhereItThrows) {
  const auto ended =
      run_in_child([](const SendLine&) { throw std::runtime_error("x"); }, {in(60s), in(60s)});
  EXPECT_EQ(ended.line, "");
  EXPECT_EQ(ended.signal, 0);
}

TEST_F(ChildProcessTest, IsAskedToStopInTime) {
  const auto ended = run_in_child(
      [](const SendLine& send) {
        wait_for_stop();
        send("stopped");
      },
      {in(100ms), in(60s)});
  EXPECT_TRUE(ended.ran_out_of_time);
  EXPECT_EQ(ended.line, "stopped");
  EXPECT_EQ(ended.signal, 0);
}

TEST_F(ChildProcessTest, IsKilledWhereItDoesNotStop) {
  const auto begin = std::chrono::steady_clock::now();
  const auto ended = run_in_child(
      [](const SendLine&) {
        for (;;)
          ::pause();
      },
      {in(100ms), in(300ms)});
  EXPECT_TRUE(ended.ran_out_of_time);
  EXPECT_EQ(ended.signal, SIGKILL);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST_F(ChildProcessTest, StopsWhereThisProcessIsAskedTo) {
  stop_signal.store(SIGINT);
  const auto ended = run_in_child(
      [](const SendLine& send) {
        wait_for_stop();
        send("stopped");
      },
      {in(60s), in(60s)});
  EXPECT_TRUE(ended.was_interrupted);
  EXPECT_FALSE(ended.ran_out_of_time);
  EXPECT_EQ(ended.line, "stopped");
}

}  // namespace tracefold::child_process_test
