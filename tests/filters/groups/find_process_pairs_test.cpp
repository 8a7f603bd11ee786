#include "filters/groups/find_process_pairs.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::find_process_pairs_test {

using Calls = std::vector<std::pair<std::string, std::string>>;

Plan grouped(testing::PlanBuilder builder, double threshold) {
  auto plan = builder.plan();
  group(plan, threshold);
  return plan;
}

TEST(ProcessPairs, AreNoneInAGroupOfOne) {
  const auto pairs = find_process_pairs(grouped(testing::PlanBuilder().rank(0, {{"", "a"}}), 1));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_FALSE(pairs[0].least_similar);
  EXPECT_FALSE(pairs[0].most_different);
}

TEST(ProcessPairs, HaveNoLeastSimilarOneAmongEqualProcesses) {
  const auto pairs = find_process_pairs(grouped(testing::PlanBuilder()
                                                    .rank(0, {{"", "a"}}, 5)
                                                    .rank(1, {{"", "a"}}, 9)
                                                    .rank(2, {{"", "a"}}, 6),
                                                1));

  EXPECT_FALSE(pairs.at(0).least_similar);
  ASSERT_TRUE(pairs[0].most_different);
  EXPECT_EQ(pairs[0].most_different->first, 0u);
  EXPECT_EQ(pairs[0].most_different->second, 1u);
  EXPECT_EQ(pairs[0].most_different->difference, 4u);
  EXPECT_EQ(pairs[0].most_different->similarity, 1);
}

TEST(ProcessPairs, FindWhatIsLeastAlikeInAMergedGroup) {
  const Calls a{{"", "a"}}, ab{{"", "a"}, {"", "b"}}, abc{{"", "a"}, {"", "b"}, {"", "c"}};
  const auto pairs = find_process_pairs(
      grouped(testing::PlanBuilder().rank(0, ab).rank(1, a).rank(2, abc).rank(3, abc), 0));
  ASSERT_EQ(pairs.size(), 1u);
  ASSERT_TRUE(pairs[0].least_similar);
  EXPECT_EQ(pairs[0].least_similar->first, 1u);
  EXPECT_EQ(pairs[0].least_similar->second, 2u);
  EXPECT_DOUBLE_EQ(pairs[0].least_similar->similarity, 1.0 / 3);
  EXPECT_EQ(pairs[0].least_similar->difference, 2u);
}

TEST(ProcessPairs, FindTheMostDifferentOfManyMembers) {
  testing::PlanBuilder builder;
  std::mt19937 random(1);
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (std::uint64_t r = 0; r < 3000; ++r) {
    const std::uint64_t time = 1'000'000 + random() % 1'000'000;
    least = std::min(least, time);
    most = std::max(most, time);
    builder.rank(r, {{"", "a"}, {"a", "b"}}, time);
  }

  const auto plan = grouped(builder, 1);
  EXPECT_EQ(find_process_pairs(plan, 10).at(0).most_different->difference, 2 * (most - least));
  EXPECT_EQ(find_process_pairs(plan, 3000).at(0).most_different->difference, 2 * (most - least));
}

// In some directions at random nothing promises the farthest pair; how near it comes is measured
// here.
TEST(ProcessPairs, ComeNearToTheMostDifferentOfManyMembers) {
  std::mt19937 random(2);

  for (int turn = 0; turn < 20; ++turn) {
    testing::PlanBuilder builder;
    Plan plan;
    for (std::uint64_t r = 0; r < 60; ++r)
      builder.rank(r, {{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}});

    plan = builder.plan();
    for (auto& p : plan.processes)
      for (auto& time : p.exclusive)
        time = random() % 1000;

    group(plan, 1);
    const auto exact = find_process_pairs(plan, 60).at(0).most_different->difference,
               found = find_process_pairs(plan, 59).at(0).most_different->difference;
    EXPECT_LE(found, exact);
    EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(exact));
  }
}

TEST(ProcessPairs, RefuseAPlanWithoutGroups) {
  EXPECT_THROW(find_process_pairs({}), Error);
}

}  // namespace tracefold::find_process_pairs_test
