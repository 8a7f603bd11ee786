#include "filters/profile/profile_groups.hpp"

#include "base/averages.hpp"

#include "filters/profile/sort_profile.hpp"
#include "filters/profile/spread.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace tracefold::profile_groups_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<WeightedValue> values_of(const std::vector<std::uint64_t>& list) {
  std::vector<WeightedValue> values;
  for (auto v : list)
    values.push_back({v, 1, values.size()});
  return values;
}

std::uint64_t weight_of(const std::vector<WeightedValue>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0},
                         [](auto sum, const auto& v) { return sum + v.weight; });
}

Spread spread(std::vector<WeightedValue> values) {
  return measure_spread(values, weight_of(values));
}

TEST(Percentiles, AreValuesOfTheNearestRank) {
  std::vector<std::uint64_t> list(100);
  std::iota(list.begin(), list.end(), 1u);
  EXPECT_THAT(spread(values_of(list)).at, ElementsAre(2, 25, 50, 75, 98));
  EXPECT_THAT(spread(values_of({15, 20, 35, 40, 50})).at, ElementsAre(15, 20, 35, 40, 50));
  EXPECT_THAT(spread(values_of({4, 3, 2, 1})).at, ElementsAre(1, 1, 2, 3, 4));
}

TEST(Percentiles, OfOneValueAreThatValue) {
  EXPECT_THAT(spread(values_of({7})).at, ElementsAre(7, 7, 7, 7, 7));
}

TEST(Percentiles, OfTiesAreTheTie) {
  EXPECT_THAT(spread(values_of({5, 5, 9, 5, 5, 5, 1})).at, ElementsAre(1, 5, 5, 5, 9));
}

TEST(Percentiles, CountAWeightAsSoManyValues) {
  const std::vector<WeightedValue> weighted{{10, 3, 0}, {20, 90, 1}, {30, 7, 2}};
  std::vector<std::uint64_t> list(3, 10);
  list.insert(list.end(), 90, 20);
  list.insert(list.end(), 7, 30);
  EXPECT_EQ(spread(weighted).at, spread(values_of(list)).at);
  EXPECT_EQ(spread(weighted).total, spread(values_of(list)).total);
}

TEST(Percentiles, OfHugeWeightsDoNotOverflow) {
  constexpr auto huge = std::uint64_t{1} << 62;
  EXPECT_EQ(nearest_rank(50, huge), huge / 2);
  EXPECT_EQ(nearest_rank(98, 1), 1u);
  EXPECT_THAT(spread({{1, huge, 0}, {2, huge, 1}, {3, huge, 2}}).at, ElementsAre(1, 1, 2, 3, 3));
}

TEST(Outliers, AreFurtherFromTheBoxThanOneAndAHalfOfItsHeight) {
  // The box is 20 to 40: 70 is just inside, 71 and what is below 20 - 30 are not.
  const auto s = spread(values_of({10, 20, 25, 30, 30, 35, 40, 70, 71}));
  EXPECT_THAT(s.at, ElementsAre(10, 25, 30, 40, 71));
  EXPECT_EQ(s.outliers, 2u);
  EXPECT_THAT(s.furthest, ElementsAre(8, 7));
  EXPECT_THAT(s.furthest_values, ElementsAre(71, 70));
}

TEST(Outliers, AreNamedUpToEightTheFurthestFirst) {
  std::vector<std::uint64_t> list(100, 1000);
  for (std::size_t k = 0; k < 12; ++k)
    list[k] = k % 2 ? 1000 + 10 * k : 1000 - 10 * k - 1;
  const auto s = spread(values_of(list));
  EXPECT_EQ(s.outliers, 12u);
  EXPECT_THAT(s.furthest, ElementsAre(11, 10, 9, 8, 7, 6, 5, 4));
}

TEST(Outliers, CountWithTheirWeight) {
  EXPECT_EQ(spread({{1, 50, 0}, {2, 3, 1}}).outliers, 3u);
}

// Paths of: f { g { f { g } } h }, and h of its own. Times of one process are
// 1 for each path, of another 10, and the second does not call the last one.
constexpr FunctionIndex f = 0, g = 1, h = 2;

CallPathProfiles recursive() {
  CallPathProfiles profile;
  profile.paths = {{no_path, f}, {0, g}, {1, f}, {2, g}, {0, h}, {no_path, h}};
  profile.shapes = {{{0, 1, 2, 3, 4, 5}, {no_path, 0, 1, 2, 0, no_path}},
                    {{0, 1, 2, 3, 4}, {no_path, 0, 1, 2, 0}}};
  profile.columns.measured = {Metric::execution_time, Metric::visits};
  profile.processes = {{0, {1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6}},
                       {1, {10, 1, 10, 2, 10, 3, 10, 4, 10, 5}}};

  return profile;
}

Plan plan_of_two(std::uint64_t weight = 1) {
  Plan plan;
  plan.functions = {{"f", "", "", 0}, {"g", "", "", 0}, {"h", "", "", 0}};
  plan.processes.resize(2);
  plan.processes[1].weight = weight;
  plan.groups = {{{0, 1}, {0}, {1}}};

  return plan;
}

const ProfileRow& get_row(const GroupProfile& group, FunctionIndex function) {
  return *std::find_if(group.rows.begin(), group.rows.end(),
                       [&](const auto& row) { return row.function == function; });
}

TEST(CallPathProfiles, SumValuesWithThoseOfCallees) {
  EXPECT_THAT(sum_with_callees(recursive(), 0, 0), ElementsAre(5, 3, 2, 1, 1, 1));
  EXPECT_THAT(sum_with_callees(recursive(), 1, 0), ElementsAre(50, 30, 20, 10, 10));
}

TEST(GroupProfile, CountsTheInclusiveTimeOfARecursiveFunctionOnce) {
  const auto profile = recursive();
  const auto group =
      profile_group(plan_of_two(), 0, profile, break_down(profile, BreakDownBy::function));
  ASSERT_THAT(group.rows, SizeIs(3));
  EXPECT_THAT(get_row(group, f).inclusive.at, ElementsAre(5, 5, 5, 50, 50));
  EXPECT_THAT(get_row(group, g).inclusive.at, ElementsAre(3, 3, 3, 30, 30));
  EXPECT_THAT(get_row(group, h).inclusive.at, ElementsAre(2, 2, 2, 10, 10)) << "h in f and h alone";
  EXPECT_THAT(get_row(group, f).exclusive.at, ElementsAre(2, 2, 2, 20, 20));
  EXPECT_EQ(get_row(group, g).visits.total, 12);
}

TEST(GroupProfile, WeighsAProcessThatStandsForOthers) {
  const auto profile = recursive();
  const auto group =
      profile_group(plan_of_two(3), 0, profile, break_down(profile, BreakDownBy::function));
  EXPECT_EQ(group.processes, 4u);
  EXPECT_THAT(get_row(group, f).inclusive.at, ElementsAre(5, 5, 50, 50, 50));
  EXPECT_EQ(get_row(group, f).exclusive.total, 2 + 3 * 20);
  EXPECT_DOUBLE_EQ(get_row(group, f).variation, 18 / (62 / 4.0));
}

TEST(GroupProfile, CountsAProcessWithoutACallPathAsZero) {
  const auto profile = recursive();
  const auto group =
      profile_group(plan_of_two(), 0, profile, break_down(profile, BreakDownBy::call_path));
  ASSERT_THAT(group.rows, SizeIs(6));
  EXPECT_THAT(group.rows[5].visits.at, ElementsAre(0, 0, 0, 6, 6));
  EXPECT_THAT(group.rows[2].inclusive.at, ElementsAre(2, 2, 2, 20, 20));
}

TEST(GroupProfile, LeavesOutWhatNoMemberCalls) {
  const auto profile = recursive();
  auto plan = plan_of_two();
  plan.groups = {{{1}, {0}, {1}}};
  EXPECT_THAT(profile_group(plan, 0, profile, break_down(profile, BreakDownBy::call_path)).rows,
              SizeIs(5));
}

TEST(GroupProfile, TellsCallPairsApartAndNestedOnesOnce) {
  const auto profile = recursive();
  const auto group =
      profile_group(plan_of_two(), 0, profile, break_down(profile, BreakDownBy::call_pair));
  ASSERT_THAT(group.rows, SizeIs(5));  // nobody>f, f>g, g>f, f>h, nobody>h
  const auto& row = get_row(group, g);
  EXPECT_EQ(row.subject, f);
  EXPECT_EQ(row.visits.total, 12);
  EXPECT_THAT(row.inclusive.at, ElementsAre(3, 3, 3, 30, 30));
}

std::vector<FunctionIndex> order(SortKey key, std::size_t most = 0) {
  const auto profile = recursive();
  auto plan = plan_of_two();
  auto group = profile_group(plan, 0, profile, break_down(profile, BreakDownBy::function));
  sort_rows(group, key, {{"z", "", "", 0}, {"y", "", "", 0}, {"x", "", "", 0}}, most);
  std::vector<FunctionIndex> found;
  for (const auto& row : group.rows)
    found.push_back(row.function);

  return found;
}

TEST(ProfileOrder, SortsByTheKeyAndTiesByName) {
  EXPECT_THAT(order(SortKey::name), ElementsAre(h, g, f));
  EXPECT_THAT(order(SortKey::inclusive), ElementsAre(f, g, h));
  EXPECT_THAT(order(SortKey::visits), ElementsAre(h, g, f));
  EXPECT_THAT(order(SortKey::exclusive), ElementsAre(g, f, h));
  EXPECT_THAT(order(SortKey::variation, 2), ElementsAre(g, f));
}

TEST(ProfileOrder, KeepsThePathsThatLeadToAKeptOne) {
  const auto profile = recursive();
  const auto plan = plan_of_two();
  auto group = profile_group(plan, 0, profile, break_down(profile, BreakDownBy::call_path));
  sort_paths(group, profile.paths, SortKey::visits, plan.functions, 0);
  std::vector<PathIndex> all;
  for (const auto& row : group.rows)
    all.push_back(row.path);

  EXPECT_THAT(all, ElementsAre(5, 0, 4, 1, 2, 3));
  group = profile_group(plan, 0, profile, break_down(profile, BreakDownBy::call_path));
  sort_paths(group, profile.paths, SortKey::visits, plan.functions, 1);  // h in f, visited most
  ASSERT_THAT(group.rows, SizeIs(2));
  EXPECT_EQ(group.rows[0].path, 0u);
  EXPECT_EQ(group.rows[1].path, 4u);
  EXPECT_EQ(group.left_out, 4u);
}

TEST(Neighbours, AreCallersTheFunctionAndCallees) {
  const auto profile = recursive();
  const auto plan = plan_of_two();
  const auto functions =
                 profile_group(plan, 0, profile, break_down(profile, BreakDownBy::function)),
             pairs = profile_group(plan, 0, profile, break_down(profile, BreakDownBy::call_pair));
  const auto group = list_neighbours("f", functions, pairs, SortKey::inclusive, plan.functions, 0);
  std::vector<std::pair<Relation, FunctionIndex>> rows;
  for (const auto& row : group.rows)
    rows.emplace_back(row.relation, row.function);

  using enum Relation;
  EXPECT_THAT(rows, ElementsAre(std::pair{caller, virtual_root}, std::pair{caller, g},
                                std::pair{self, f}, std::pair{callee, g}, std::pair{callee, h}));
  EXPECT_THAT(list_neighbours("x*", functions, pairs, SortKey::inclusive, plan.functions, 0).rows,
              IsEmpty());
}

TEST(SortKeys, AreKnownByName) {
  for (auto word : sort_keys)
    EXPECT_TRUE(find_sort_key(word));
  EXPECT_EQ(find_sort_key("name"), SortKey::name);
  EXPECT_FALSE(find_sort_key("names"));
}

}  // namespace tracefold::profile_groups_test
