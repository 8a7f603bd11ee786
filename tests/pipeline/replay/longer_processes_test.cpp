#include "pipeline/replay/longer_processes.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace tracefold::longer_processes_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Above = std::vector<std::vector<double>>;

// Processes compute 100 in each iteration, and so much more.
std::vector<std::size_t> find(const Above& above, bool are_alike = true) {
  std::vector<double> times;
  for (const auto& of_process : above) {
    times.push_back(0);
    for (const auto more : of_process)
      times.back() += 100 + more;
  }
  return find_longer_processes(above, times, are_alike);
}

// Two of the processes are a bit longer in each iteration, and other ones each time.
Above make_noise(std::size_t processes, std::size_t iterations) {
  Above above(processes, std::vector<double>(iterations));
  for (std::size_t i = 0; i < iterations; ++i) {
    above[3 * i % processes][i] = 2;
    above[(3 * i + 1) % processes][i] = 1;
  }
  return above;
}

TEST(LongerProcesses, AreNoneInNoise) {
  for (const std::size_t iterations : {3, 4, 7, 20, 100})
    EXPECT_THAT(find(make_noise(8, iterations)), IsEmpty()) << iterations;
  EXPECT_THAT(find(make_noise(2, 10)), IsEmpty());
}

TEST(LongerProcesses, AreLongestTooOften) {
  auto above = make_noise(8, 10);
  for (auto& more : above[5])
    more = 3;
  EXPECT_THAT(find(above), ElementsAre(5));
}

// The smaller one counts among those that are not larger.
TEST(LongerProcesses, AreOfOtherSizes) {
  auto above = make_noise(8, 10);
  for (std::size_t i = 0; i < 10; ++i) {
    above[1][i] = 20;
    above[6][i] = 6;
  }
  EXPECT_THAT(find(above), ElementsAre(1, 6));
}

TEST(LongerProcesses, AreMuchLongerInSomeIterations) {
  auto above = make_noise(16, 20);
  for (const std::size_t i : {4, 9, 14, 19})
    above[4][i] = 25;
  EXPECT_THAT(find(above), ElementsAre(4));
  for (const std::size_t i : {9, 14, 19})
    above[4][i] = 0;
  above[4][4] = 15;
  EXPECT_THAT(find(above), IsEmpty()) << "anybody may be so once";
}

TEST(LongerProcesses, AreFarOutsideOnce) {
  auto above = make_noise(8, 60);
  above[2][17] = 40;
  EXPECT_THAT(find(above), ElementsAre(2)) << "less than 1 % of its time";
  above[2][17] = 15;
  EXPECT_THAT(find(above), IsEmpty());
}

// As of interrupts, of which some have none.
TEST(LongerProcesses, AreNoneThatAreSoAtOtherTimes) {
  Above above(8, std::vector<double>(40));
  for (const std::size_t k : {0, 3, 5})
    above[k][4 + 7 * k] = 40;
  EXPECT_THAT(find(above), IsEmpty());
  for (const std::size_t k : {0, 3, 5})
    above[k] = above[3];
  EXPECT_THAT(find(above), ElementsAre(0, 3, 5)) << "at the same time";
}

TEST(LongerProcesses, AreNotMost) {
  Above above(4, std::vector<double>(20));
  for (const std::size_t k : {0, 1, 2})
    above[k].assign(20, 30);
  EXPECT_THAT(find(above), IsEmpty());
}

TEST(SomeIterations, HaveNearlyAll) {
  EXPECT_EQ(find_some_iterations({0, 0, 9, 0, 0.5}), (SomeIterations{2, 2, 1}));
  EXPECT_EQ(find_some_iterations({0, 9, 9, 0, 0, 0}), (SomeIterations{1, 2, 1}));
  EXPECT_EQ(find_some_iterations({0, 0, 9, 0, 0, 9, 0, 0, 9}), (SomeIterations{2, 8, 3}));
  EXPECT_EQ(find_some_iterations({0.2, 0.2, 9, 0.2, 0.2, 0.2}), (SomeIterations{2, 2, 1}));
  EXPECT_EQ(find_some_iterations({1, 1, 9, 1, 1, 1}), SomeIterations{}) << "too much in the others";
  EXPECT_EQ(find_some_iterations({9, 9, 9, 0, 0}), SomeIterations{}) << "most";
  EXPECT_EQ(find_some_iterations({0, 0, 9, 0, 0, 0, 9, 9, 0, 0}), SomeIterations{});
}

}  // namespace tracefold::longer_processes_test
