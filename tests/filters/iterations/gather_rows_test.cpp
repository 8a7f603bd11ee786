#include "filters/iterations/gather_rows.hpp"

#include "base/error.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace tracefold::gather_rows_test {

using ::testing::ElementsAre;
using testing::PlanBuilder;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Ranks 0 to 3, which call different functions in two groups: 0 and 3, 1 and 2.
Plan make_plan() {
  PlanBuilder builder;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    builder.rank(rank, {{"", rank == 0 || rank == 3 ? "a" : "b"}});
  auto plan = builder.plan();
  group(plan, 1);
  return plan;
}

IterationMap make_map() {
  IterationMap map;
  map.processes = {0, 1, 2, 3};
  map.iterations = map.columns = 2;
  map.values = {1, 10, 2, 20, 3, none, 5, 30};
  return map;
}

// A torus of two by two whose places are not in the order of ranks.
ProgramPlaces make_places() {
  ProgramPlaces places;
  places.grids.push_back({{{2}, {2}}, {1, 1, 1, 0, 0, 1, 0, 0}});
  places.nodes = {{0, 1}, {2}};
  places.node_names = {"n0", "n1"};
  return places;
}

}  // namespace

TEST(GatherRows, ShowsTheMeanOfEachGroup) {
  const auto plan = make_plan();
  const auto map = gather_rows(plan, make_map(), list_wanted_rows(plan, {}, RowChoice::group));
  EXPECT_THAT(map.values, ElementsAre(3, 20, 2.5, 20));
  EXPECT_THAT(map.processes, ElementsAre(0, 1));
  EXPECT_THAT(map.shown.members, ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2)));
  EXPECT_THAT(map.shown.names, ElementsAre("0 like rank 0", "1 like rank 1"));
}

TEST(GatherRows, CountsProcessesWithTheirWeight) {
  auto plan = make_plan();
  plan.processes[3].weight = 3;
  const auto map = gather_rows(plan, make_map(), list_wanted_rows(plan, {}, RowChoice::group));
  EXPECT_DOUBLE_EQ(map.values[0], 4);
}

TEST(GatherRows, PutsProcessesOfNoNodeIntoARowOfTheirOwn) {
  const auto plan = make_plan();
  const auto map =
      gather_rows(plan, make_map(), list_wanted_rows(plan, make_places(), RowChoice::node));
  EXPECT_THAT(map.shown.names, ElementsAre("n0", "n1", "no node"));
  EXPECT_DOUBLE_EQ(map.values[0], 1.5);
  EXPECT_DOUBLE_EQ(map.values[4], 5);
}

TEST(GatherRows, OrdersRanksByTheirPlaces) {
  const auto plan = make_plan();
  const auto map =
      gather_rows(plan, make_map(), list_wanted_rows(plan, make_places(), RowChoice::topology));
  EXPECT_THAT(map.shown.names, ElementsAre("(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"));
  EXPECT_THAT(map.processes, ElementsAre(3, 2, 1, 0));
  EXPECT_DOUBLE_EQ(map.values[0], 5);
  EXPECT_THAT(map.shown.places, ElementsAre(ElementsAre(0, 0), ElementsAre(0, 1), ElementsAre(1, 0),
                                            ElementsAre(1, 1)));
  ASSERT_EQ(map.shown.axes.size(), 2u);
  EXPECT_EQ(map.shown.axes[1].size, 2u);
}

TEST(GatherRows, RefusesATopologyThatNothingTells) {
  const auto plan = make_plan();
  EXPECT_THROW(list_wanted_rows(plan, {}, RowChoice::topology), Error);
}

TEST(GatherRows, MarksRowsOfWhichAProcessIsKept) {
  const auto plan = make_plan();
  ComparedMap maps;
  maps.original = make_map();
  maps.reconstruction = make_map();
  maps.kept_rows = {2};
  const auto gathered = gather_rows(plan, maps, list_wanted_rows(plan, {}, RowChoice::group));
  EXPECT_THAT(gathered.kept_rows, ElementsAre(1));
  EXPECT_THAT(gathered.reconstruction->values, ElementsAre(3, 20, 2.5, 20));
}

TEST(GatherRows, PlacesRanksInRowsOfAMatrix) {
  const auto places = make_places();
  const auto order = order_ranks(get_rank_grid(places));
  EXPECT_THAT(order, ElementsAre(3, 2, 1, 0));
  const auto rows = list_placed_rows(order, {"w", "x", "y", "z"});
  EXPECT_THAT(rows.names, ElementsAre("z", "y", "x", "w"));
  EXPECT_THAT(rows.row_of, ElementsAre(3, 2, 1, 0));
}

}  // namespace tracefold::gather_rows_test
