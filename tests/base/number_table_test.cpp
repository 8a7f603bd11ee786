#include "base/number_table.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>
#include <vector>

namespace tracefold::number_table_test {

TEST(NumberTable, GivesEqualThingsOneNumber) {
  std::mt19937 random(5);
  std::vector<std::uint64_t> kept;
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  NumberTable table;

  for (int k = 0; k < 20'000; ++k) {
    const std::uint64_t thing = random() % 5'000;
    const auto next = static_cast<std::uint32_t>(kept.size());
    const auto number =
        table.find_or_add(thing % 3'000, next, [&](auto n) { return kept[n] == thing; });
    EXPECT_EQ(number, expected.try_emplace(thing, next).first->second);
    if (number == next)
      kept.push_back(thing);
  }
}

}  // namespace tracefold::number_table_test
