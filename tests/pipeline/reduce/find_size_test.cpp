#include "pipeline/reduce/find_size.hpp"

#include <gtest/gtest.h>

namespace tracefold::find_size_test {

struct Found {
  std::optional<NumberSize> size;
  std::uint64_t smallest = 0;
  int measured = 0;
};

// Among 1 to 1,000, each of which takes so many bytes beside 5,000.
Found find(std::uint64_t bytes, std::size_t first, std::uint64_t (*measure)(std::size_t)) {
  Found found;
  const auto counted = [&](std::size_t number) {
    ++found.measured;
    return measure(number);
  };
  found.size = find_size(1, first, 1000, bytes, counted, found.smallest);
  return found;
}

std::uint64_t measure_linear(std::size_t number) {
  return 5000 + 100 * number;
}
std::uint64_t measure_steep(std::size_t number) {
  return number * number;
}

TEST(FindSize, ComesNearFromBothSides) {
  for (const std::size_t first : {1u, 3u, 60u, 900u})
    for (const auto measure : {measure_linear, measure_steep}) {
      const auto found = find(20'000, first, measure);
      ASSERT_TRUE(found.size) << first;
      EXPECT_LE(found.size->bytes, 20'000u) << first;
      EXPECT_GE(found.size->bytes, 18'000u) << first;
      EXPECT_EQ(found.size->bytes, measure(found.size->number)) << first;
      EXPECT_LE(found.measured, 11) << first;
    }
}

TEST(FindSize, TakesTheLargestOfFewSteps) {
  const auto found = find(5399, 1, measure_linear);
  EXPECT_EQ(found.size->number, 3u);
}

TEST(FindSize, TakesAllWhereTheseFit) {
  EXPECT_EQ(find(1'000'000'000, 7, measure_linear).size->number, 1000u);
}

TEST(FindSize, SaysWhatTheLeastTakes) {
  const auto found = find(5000, 500, measure_linear);
  EXPECT_FALSE(found.size);
  EXPECT_EQ(found.smallest, 5100u);
}

}  // namespace tracefold::find_size_test
