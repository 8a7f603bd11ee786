#include "filters/iterations/iteration_features.hpp"

#include "filters/iterations/online_clusters.hpp"
#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace tracefold::iteration_features_test {

using ::testing::ElementsAre;

constexpr std::uint64_t huge = ~std::uint64_t{0};

std::map<std::string, std::uint64_t> condensed(const MetricColumns& columns,
                                               const CallPathProfile& profile) {
  const CondensedForm form(columns);
  std::vector<Wide> entries(form.size());
  form.condense(form.column_sums(profile), entries);
  std::map<std::string, std::uint64_t> named;
  for (std::size_t e = 0; e < form.size(); ++e)
    named[form.entries()[e].name] = static_cast<std::uint64_t>(entries[e]);

  return named;
}

TEST(MetricTable, NamesEachMetricOnce) {
  std::set<std::string_view> names;
  for (const auto& entry : metric_table)
    names.insert(entry.name);
  EXPECT_EQ(names.size(), metric_count);
}

TEST(MetricTable, HasParentsOfTheSameKindAndNoCircles) {
  for (std::size_t m = 0; m < metric_count; ++m) {
    auto metric = static_cast<Metric>(m);
    for (int depth = 0; metric != Metric::none; ++depth) {
      ASSERT_LT(depth, 6);
      const auto parent = get_entry(metric).parent;
      EXPECT_EQ(get_entry(parent == Metric::none ? metric : parent).kind, get_entry(metric).kind)
          << get_entry(metric).name;
      metric = parent;
    }
  }
}

TEST(CondensedForm, SumsOverCallPathsAndUpTheTree) {
  const MetricColumns columns{
      {Metric::execution_time, Metric::mpi_point_to_point_time, Metric::mpi_late_sender_time,
       Metric::mpi_collective_time, Metric::visits},
      {{"cache misses"}}};

  const auto profile = testing::profile_of({{0, {}, {100, 0, 0, 0, 1, 7}},
                                            {1, {}, {30, 30, 10, 0, 4, 0}},
                                            {5, {}, {20, 0, 0, 20, 2, 1}}});

  const std::map<std::string, std::uint64_t> expected{{"execution time", 150},
                                                      {"MPI point-to-point time", 30},
                                                      {"MPI late-sender time", 10},
                                                      {"MPI collective time", 20},
                                                      {"visits", 7},
                                                      {"MPI time", 50},
                                                      {"MPI communication time", 50},
                                                      {"cache misses", 8}};

  EXPECT_EQ(condensed(columns, profile), expected);
}

// A collective may be as source, as destination, both or neither.
TEST(CondensedForm, DoesNotTakeAMeasuredMetricFromItsChildren) {
  const MetricColumns columns{{Metric::visits, Metric::collectives, Metric::collectives_as_source,
                               Metric::collectives_as_destination},
                              {}};
  const auto named = condensed(columns, testing::profile_of({{0, {}, {3, 3, 2, 3}}}));
  EXPECT_EQ(named.at("collectives"), 3u);
  EXPECT_EQ(named.at("communications"), 3u);
  const MetricColumns only{{Metric::visits, Metric::collectives_as_source}, {}};
  EXPECT_EQ(condensed(only, testing::profile_of({{0, {}, {3, 2}}})).size(), 2u);
}

TEST(CondensedForm, KeepsSumsAbove64Bits) {
  const CondensedForm form({{Metric::execution_time, Metric::visits}, {}});
  const auto sums = form.column_sums(
      testing::profile_of({{0, {}, {huge, 1}}, {1, {}, {huge, 1}}, {2, {}, {huge, huge}}}));
  EXPECT_TRUE(sums[0] == Wide{3} * huge);
  EXPECT_TRUE(sums[1] == Wide{huge} + 2);
}

TEST(DisjointSets, FindOneRootForAllOfASet) {
  DisjointSets sets;
  for (int k = 0; k < 1000; ++k)
    sets.add();
  for (std::uint32_t k = 3; k < 1000; ++k)
    sets.unite(k - 3, k);
  for (std::uint32_t k = 0; k < 1000; ++k)
    EXPECT_EQ(sets.find(k), sets.find(k % 3));

  EXPECT_NE(sets.find(0), sets.find(1));
  EXPECT_LE(sets.bytes(), 4u * 1024);
}

TEST(MetricNames, FindsMetricsByTheirNames) {
  const auto metrics =
      CondensedForm({{Metric::execution_time, Metric::mpi_point_to_point_time, Metric::visits},
                     {{"PAPI_TOT_INS"}}})
          .entries();

  EXPECT_THAT(find_entry(metrics, "Execution Time")->columns, ElementsAre(0));
  EXPECT_EQ(find_entry(metrics, "mpi-point-to-point-time")->name, "MPI point-to-point time");
  EXPECT_EQ(find_entry(metrics, "papi tot_ins")->name, "PAPI_TOT_INS");
  EXPECT_FALSE(find_entry(metrics, "bytes sent")) << "nothing is said of messages";
}

TEST(MetricNames, TellsCountersFromMetricsOfTheSameName) {
  const auto metrics =
      CondensedForm({{Metric::execution_time, Metric::visits}, {{"visits"}, {"cycles"}}}).entries();
  EXPECT_THAT(list_names(metrics), ::testing::IsSupersetOf({"visits", "counter:visits", "cycles"}));
  EXPECT_EQ(find_entry(metrics, "visits")->kind, MetricKind::count);
  EXPECT_EQ(find_entry(metrics, "counter:visits")->kind, MetricKind::counter);
  EXPECT_EQ(find_entry(metrics, "counter:cycles")->name, "cycles");
}

}  // namespace tracefold::iteration_features_test
