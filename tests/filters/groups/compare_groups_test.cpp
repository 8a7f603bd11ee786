#include "filters/groups/compare_groups.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::compare_groups_test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using Calls = std::vector<std::pair<std::string, std::string>>;

Plan grouped(testing::PlanBuilder builder, double threshold = 1) {
  auto plan = builder.plan();
  group(plan, threshold);
  return plan;
}

const Calls nested{{"", "a"}, {"a", "b"}}, inlined{{"", "b"}};

// Structural figures 8 and 10.
TEST(CompareGroups, ShowsInliningBySubsumption) {
  const auto plan = grouped(testing::PlanBuilder().rank(0, nested).rank(1, inlined));
  EXPECT_THAT(compare_groups(plan, {.by = CompareBy::pairs}, GroupMeasure::similarity).values,
              ElementsAre(ElementsAre(1, 0), ElementsAre(0, 1)));
  EXPECT_THAT(compare_groups(plan, {.by = CompareBy::pairs}, GroupMeasure::subsumption).values,
              ElementsAre(ElementsAre(1, 1), ElementsAre(DoubleEq(1.0 / 3), 1)));
}

TEST(CompareGroups, ClosesPairsAndNotFunctions) {
  const auto plan = grouped(testing::PlanBuilder().rank(0, nested).rank(1, inlined));
  EXPECT_THAT(compare_groups(plan, {.by = CompareBy::functions}, GroupMeasure::subsumption).values,
              ElementsAre(ElementsAre(1, 1), ElementsAre(0.5, 1)));
}

TEST(CompareGroups, AveragesOverTheProcessesOfMergedGroups) {
  const Calls four{{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}},
      five{{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}, {"", "e"}}, one{{"", "a"}};
  const auto plan =
      grouped(testing::PlanBuilder().rank(0, four).rank(1, four).rank(2, five).rank(3, one), 0.8);
  const auto table = compare_groups(plan, {.by = CompareBy::pairs}, GroupMeasure::similarity);
  ASSERT_EQ(table.groups.size(), 2u);
  EXPECT_DOUBLE_EQ(table.values[0][1], (2 * 0.25 + 0.2) / 3);
  EXPECT_DOUBLE_EQ(table.values[0][1], plan.groups->at(0).similarity.at(1));
  EXPECT_EQ(table.values[0][0], 1);
  EXPECT_EQ(table.groups[0].count, 3u);
}

TEST(CompareGroups, RefusesAPlanWithoutGroups) {
  EXPECT_THROW(compare_groups(Plan(), {}, GroupMeasure::similarity), Error);
}

}  // namespace tracefold::compare_groups_test
