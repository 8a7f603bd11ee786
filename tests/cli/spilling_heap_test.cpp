// Large blocks in a file: they hold what is written into them, and take no memory.
#include "cli/spilling_heap.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace tracefold::cli::spilling_heap_test {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t measure_memory() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Each test is a process of its own: what is spilled once is spilled to its end.
class SpillingHeap : public ::testing::Test {
 protected:
  void SetUp() override {
    spill_beyond(16 * mebibyte, std::filesystem::temp_directory_path());
    const std::vector<char> large(64 * mebibyte);
    if (count_spilled_bytes() == 0)
      GTEST_SKIP() << "sanitizers have a heap of their own";
  }
};

TEST_F(SpillingHeap, HoldsWhatIsWritten) {
  std::vector<std::vector<std::uint64_t>> all(50);
  std::mt19937_64 random(1);
  for (std::size_t k = 0; k < 4'000'000; ++k)
    all[random() % all.size()].push_back(k);

  std::size_t count = 0;
  for (const auto& ascending : all) {
    count += ascending.size();
    for (std::size_t i = 1; i < ascending.size(); ++i)
      ASSERT_LT(ascending[i - 1], ascending[i]);
  }
  EXPECT_EQ(count, 4'000'000u);
}

TEST_F(SpillingHeap, TakesTheSamePlacesAgain) {
  const auto before = count_spilled_bytes();
  for (int round = 0; round < 100; ++round) {
    const std::vector<char> large(64 * mebibyte + static_cast<std::size_t>(round) * 4096, 'x');
    EXPECT_GE(count_spilled_bytes(), before + large.size());
    ASSERT_EQ(large.back(), 'x');
  }
  EXPECT_EQ(count_spilled_bytes(), before);
}

TEST_F(SpillingHeap, LeavesMemoryToOthers) {
  std::vector<std::uint64_t> large(64 * mebibyte / sizeof(std::uint64_t) * 4);
  std::iota(large.begin(), large.end(), std::uint64_t{0});
  for (int wait = 0; wait < 200 && measure_memory() > 64 * mebibyte; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));

  EXPECT_LT(measure_memory(), 64 * mebibyte) << "of 256 MiB";
  EXPECT_EQ(large[12'345'678], 12'345'678u);
}

TEST_F(SpillingHeap, IsNotSharedWithACopyOfTheProcess) {
  const std::vector<char> ours(64 * mebibyte, 'p');
  auto* freed_by_copy = new std::vector<char>(64 * mebibyte, 'p');
  const auto copy = ::fork();
  if (copy == 0) {
    delete freed_by_copy;
    const std::vector<char> others(96 * mebibyte, 'c'), more(64 * mebibyte, 'c');
    const bool holds = count_spilled_bytes() >= 160 * mebibyte && ours.back() == 'p' &&
                       others.front() == 'c' && more.back() == 'c';
    ::_exit(holds ? 0 : 1);
  }
  const std::vector<char> meanwhile(96 * mebibyte, 'm');
  int status = 1;
  ::waitpid(copy, &status, 0);
  EXPECT_EQ(status, 0);
  for (const auto* block : {&ours, static_cast<const std::vector<char>*>(freed_by_copy)})
    EXPECT_EQ(std::count(block->begin(), block->end(), 'p'), std::ptrdiff_t{64} * mebibyte);
  EXPECT_EQ(std::count(meanwhile.begin(), meanwhile.end(), 'm'), std::ptrdiff_t{96} * mebibyte);
  delete freed_by_copy;
}

TEST_F(SpillingHeap, IsForSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> sums(4);
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&sums, t] {
      for (int round = 0; round < 50; ++round) {
        const std::vector<std::uint64_t> values(mebibyte / 2, t + 1);
        sums[t] += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      }
    });
  for (auto& thread : threads)
    thread.join();

  for (std::size_t t = 0; t < sums.size(); ++t)
    EXPECT_EQ(sums[t], 50 * mebibyte / 2 * (t + 1));
}

}  // namespace tracefold::cli::spilling_heap_test
