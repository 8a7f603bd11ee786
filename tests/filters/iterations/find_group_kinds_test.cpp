#include "filters/iterations/find_group_kinds.hpp"

#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>

namespace tracefold::find_group_kinds_test {

using ::testing::ElementsAre;
using testing::PlanBuilder;
using ::testing::SizeIs;

namespace {

// Ranks 0 and 1 call the same, rank 2 something else, rank 3 has no loop.
Plan make_plan() {
  PlanBuilder builder;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    builder.rank(rank, {{"", rank < 2 ? "a" : rank == 2 ? "b" : "c"}});
  auto plan = builder.plan();
  group(plan, 1);
  return plan;
}

// Four iterations, of which 1 and 3 are kept: 3 stands for 0 and itself.
ComparedMap make_maps() {
  ComparedMap maps;
  maps.original.processes = {0, 1, 2};
  maps.original.iterations = maps.original.columns = 4;
  maps.original.values = {10, 1, 2, 11, 14, 3, 4, 13, 5, 5, 5, 5};
  maps.reconstruction = maps.original;
  maps.reconstruction->values = {11, 1, 1, 11, 11, 1, 1, 11, 5, 5, 5, 5};
  maps.kept_iterations = {{1, 3}};
  maps.kept_of = {1, 0, 0, 1};
  return maps;
}

}  // namespace

TEST(FindGroupKinds, HasACellForEachGroupAndKind) {
  const auto found = find_group_kinds(make_plan(), make_maps());
  EXPECT_THAT(found.groups, ElementsAre(0, 1)) << "the third one has no loop";
  ASSERT_THAT(found.kinds, SizeIs(2));
  EXPECT_EQ(found.kinds[0].kept, 3u) << "the kind of the first iteration comes first";
  EXPECT_THAT(found.kinds[0].iterations, ElementsAre(0, 3));
  EXPECT_THAT(found.kinds[1].iterations, ElementsAre(1, 2));
  const auto& cell = found.cells[0][0];
  EXPECT_EQ(cell.values, 4u);
  EXPECT_THAT(cell.at, ElementsAre(10, 10, 11, 13, 14));
  EXPECT_DOUBLE_EQ(cell.error, (1 + 0 + 3 + 2) / 48.0);
  EXPECT_EQ(found.cells[1][0].error, 0);
}

TEST(FindGroupKinds, HasOneKindWhereNothingIsFolded) {
  auto maps = make_maps();
  maps.reconstruction.reset();
  maps.kept_iterations.reset();
  maps.kept_of.clear();
  const auto found = find_group_kinds(make_plan(), maps);
  ASSERT_THAT(found.kinds, SizeIs(1));
  EXPECT_THAT(found.kinds[0].iterations, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(found.cells[0][0].error, 0);
}

TEST(FindGroupKinds, DoesNotKnowErrorsWithoutTheOriginal) {
  auto maps = make_maps();
  maps.reconstruction.reset();
  EXPECT_TRUE(std::isnan(find_group_kinds(make_plan(), maps).cells[0][0].error));
}

TEST(FindGroupKinds, CountsThoseThatAProcessStandsFor) {
  auto plan = make_plan();
  plan.processes[1].weight = 9;
  EXPECT_THAT(find_group_kinds(plan, make_maps()).cells[0][0].at, ElementsAre(10, 13, 13, 14, 14));
}

// A process that is not folded has more iterations.
TEST(FindGroupKinds, EndsWithWhatIsFolded) {
  auto maps = make_maps();
  maps.kept_of.resize(3);
  const auto found = find_group_kinds(make_plan(), maps);
  EXPECT_THAT(found.kinds[0].iterations, ElementsAre(0));
  EXPECT_THAT(found.kinds[1].iterations, ElementsAre(1, 2));
}

TEST(FindGroupKinds, LeavesOutValuesThatAreNotKnown) {
  auto maps = make_maps();
  maps.original.values[0] = NAN;
  EXPECT_EQ(find_group_kinds(make_plan(), maps).cells[0][0].values, 3u);
}

}  // namespace tracefold::find_group_kinds_test
