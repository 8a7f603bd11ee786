#include "filters/iterations/cut_map.hpp"

#include "base/error.hpp"
#include "model/chosen_iterations.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <memory>

namespace tracefold::cut_map_test {

using ::testing::ElementsAre;

namespace {

// Two processes, and as many iterations in a column.
IterationMap make_map(std::size_t per_column) {
  IterationMap map;
  map.processes = {0, 1};
  map.per_column = per_column;
  map.columns = 4;
  map.iterations = 4 * per_column;
  map.values = {0, 1, 2, 3, 10, 11, 12, 13};
  map.exact_sums = {{6, 46}, {10, 12, 14, 16}};
  return map;
}

}  // namespace

TEST(CutMap, ShowsTheIterationsUnderTheirNumbers) {
  const auto map = cut_map(Plan{}, make_map(1), {1, 2});
  EXPECT_EQ(map.first, 1u);
  EXPECT_EQ(map.iterations, 2u);
  EXPECT_EQ(map.columns, 2u);
  EXPECT_THAT(map.values, ElementsAre(1, 2, 11, 12));
  EXPECT_THAT(map.exact_sums->of_column, ElementsAre(12, 14));
  EXPECT_TRUE(map.exact_sums->of_row.empty());
}

TEST(CutMap, EndsWithTheLoop) {
  EXPECT_THAT(cut_map(Plan{}, make_map(1), {3, 9}).values, ElementsAre(3, 13));
  EXPECT_THROW(cut_map(Plan{}, make_map(1), {4, 9}), Error);
}

TEST(CutMap, KeepsWholeColumns) {
  const auto map = cut_map(Plan{}, make_map(10), {19, 21});
  EXPECT_EQ(map.first, 10u);
  EXPECT_EQ(map.iterations, 20u);
  EXPECT_THAT(map.values, ElementsAre(1, 2, 11, 12));
}

TEST(CutMap, GoesByTheNumbersOfTheOriginal) {
  auto chosen = std::make_shared<ChosenIterations>();
  chosen->numbers = {3, 70, 71, 140};
  Plan plan;
  plan.chosen = chosen;
  const auto map = cut_map(plan, make_map(1), {60, 100});
  EXPECT_EQ(map.first, 1u);
  EXPECT_THAT(map.values, ElementsAre(1, 2, 11, 12));
  EXPECT_THROW(cut_map(plan, make_map(1), {72, 139}), Error);
}

TEST(CutMap, CutsTheReconstructionAndTheParts) {
  ComparedMap maps{make_map(1), make_map(1), {0}, {{0, 2, 3}}, {}};
  maps.layers.per_column = 2;
  maps.layers.layers = {{"part", {0.5, 2.5}, {}}};
  const auto cut = cut_map(Plan{}, maps, {3, 3});
  EXPECT_EQ(cut.original.first, 2u);
  EXPECT_THAT(cut.reconstruction->values, ElementsAre(2, 3, 12, 13));
  EXPECT_THAT(*cut.kept_iterations, ElementsAre(0, 1));
  EXPECT_THAT(cut.layers.layers[0].original, ElementsAre(2.5));
}

}  // namespace tracefold::cut_map_test
