#include "pipeline/iterations/iteration_totals.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace tracefold {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t bytes_of_one = 3 * 2 * sizeof(Wide);  // three iterations, two columns

void add(IterationTotals& totals, std::size_t process, Wide first) {
  for (std::size_t i = 0; i < 3; ++i)
    totals.add(process, i, std::vector<Wide>{first + i, 10 * first});
}

TEST(IterationTotals, AddUpAllProcesses) {
  IterationTotals totals(3, 2, 0);
  for (std::size_t p : {4, 2}) {
    totals.expect(p);
    add(totals, p, p);
  }
  EXPECT_THAT(totals.list_totals(0, 3), ElementsAre(6, 60, 8, 60, 10, 60));
  EXPECT_THAT(totals.list_totals(1, 1), ElementsAre(8, 60)) << "of one loop among several";
}

TEST(IterationTotals, EndAtSixtyFourBits) {
  IterationTotals totals(1, 1, 0);
  const auto large = ~std::uint64_t{0};
  for (std::size_t p = 0; p < 3; ++p)
    totals.add(p, 0, std::vector<Wide>{Wide{large} - p});
  EXPECT_EQ(totals.list_totals(0, 1)[0], static_cast<double>(large));
}

TEST(IterationTotals, HoldTheFirstProcessesAsLongAsMemoryLasts) {
  IterationTotals totals(3, 2, 2 * bytes_of_one + 1);
  for (std::size_t p : {7, 3, 5})
    totals.expect(p);
  add(totals, 5, 1);
  add(totals, 3, 2);
  EXPECT_TRUE(totals.holds(7));
  EXPECT_TRUE(totals.holds(3));
  EXPECT_FALSE(totals.holds(5));
  EXPECT_FALSE(totals.holds(4)) << "it was not expected";

  std::vector<double> seen;
  totals.visit(3, [&](std::size_t iteration, std::span<const Wide> sums) {
    EXPECT_EQ(iteration, seen.size() / 2);
    for (auto sum : sums)
      seen.push_back(static_cast<double>(sum));
  });
  EXPECT_THAT(seen, ElementsAre(2, 20, 3, 20, 4, 20));
}

TEST(IterationTotals, AreAddedByManyThreads) {
  constexpr std::size_t iterations = 1000, processes = 8;
  IterationTotals totals(iterations, 1, 0);
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < processes; ++p)
    threads.emplace_back([&, p] {
      for (std::size_t i = 0; i < iterations; ++i)
        totals.add(p, i, std::vector<Wide>{p + i});
    });
  for (auto& thread : threads)
    thread.join();

  const auto sums = totals.list_totals(0, iterations);
  for (std::size_t i = 0; i < iterations; ++i)
    EXPECT_EQ(sums[i], static_cast<double>(28 + 8 * i));
}

}  // namespace
}  // namespace tracefold
