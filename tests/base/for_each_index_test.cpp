#include "base/for_each_index.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

namespace {

TEST(ForEachIndex, CallsForEachIndexOnce) {
  std::vector<std::atomic<int>> calls(1000);
  for_each_index(calls.size(), [&](std::size_t k) { ++calls[k]; });
  for (const auto& count : calls)
    EXPECT_EQ(count, 1);
}

TEST(ForEachIndex, ThrowsWhatATaskThrows) {
  EXPECT_THROW(for_each_index(100,
                              [](std::size_t k) {
                                if (k == 57)
                                  throw Error(ErrorKind::input, "cannot be read");
                              }),
               Error);
}

TEST(ForEachIndex, RunsInsideOfATask) {
  std::atomic<std::size_t> sum = 0;
  for_each_index(10, [&](std::size_t a) {
    for_each_index_isolated(10, [&](std::size_t b) { sum += 10 * a + b; });
  });
  EXPECT_EQ(sum, 4950u);
}

TEST(ThreadLimit, HoldsWhileItLives) {
  const auto before = count_threads();
  {
    const ThreadLimit limit(1);
    EXPECT_EQ(count_threads(), 1u);
  }
  EXPECT_EQ(count_threads(), before);
}

TEST(FunctionRef, CallsWhatItRefersTo) {
  int calls = 0;
  auto append = [calls](const std::string& text, std::size_t times) mutable {
    return text + std::to_string(times) + std::to_string(++calls);
  };
  const FunctionRef<std::string(const std::string&, std::size_t)> call = append;
  EXPECT_EQ(call("x", 2), "x21");
  EXPECT_EQ(call("y", 3), "y32");
}

}  // namespace

}  // namespace tracefold
