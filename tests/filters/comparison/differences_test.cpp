#include "filters/comparison/differences.hpp"

#include <gmock/gmock.h>

namespace tracefold::differences_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Noise noise{0.01, 0.05};

PartnerValues make_partners(std::vector<double> a, std::vector<double> b) {
  PartnerValues values{std::move(a), std::move(b), {}, {}, true};
  values.weights_a.assign(values.a.size(), 1);
  values.weights_b.assign(values.b.size(), 1);
  return values;
}

TEST(MeasureDifference, TakesTheSpreadInsideOfGroups) {
  // Hosts do nothing of it in both runs, and streams take longer.
  auto values = make_partners({1, 1, 1, 1, 40, 40, 40, 40}, {1, 1, 1, 1, 60, 60, 60, 60});
  values.groups_a = {0, 0, 0, 0, 1, 1, 1, 1};
  const auto one = measure_difference(values, ValueKind::computation, noise);
  EXPECT_TRUE(one.has_spread);
  EXPECT_EQ(one.spread, 0);
  EXPECT_TRUE(one.is_beyond);
}

TEST(MeasureDifference, HasNoSpreadOfFewValues) {
  const auto values = make_partners({10, 10, 10}, {10, 10.6, 10});
  const auto one = measure_difference(values, ValueKind::computation, noise);
  EXPECT_FALSE(one.has_spread);
  EXPECT_FALSE(one.is_beyond) << "2 % of 5 % that count as noise";
  EXPECT_TRUE(measure_difference(values, ValueKind::computation, {0.01, 0.015}).is_beyond);
}

TEST(MeasureDifference, IsOfTheProcessesThatCount) {
  auto values = make_partners({0, 40}, {0, 60});
  values.weights_a = values.weights_b = {0, 1};
  const auto one = measure_difference(values, ValueKind::computation, noise);
  EXPECT_EQ(one.a, 40);
  EXPECT_EQ(one.b, 60);
  EXPECT_EQ(one.total_b, 60);
  EXPECT_THAT(list_counted(values), ElementsAre(1u));
}

TEST(FindChanged, FindsWhatDependsOnTheProcess) {
  const auto values = make_partners({10, 10, 10, 10, 10, 10}, {15, 14, 15, 6, 5, 5});
  EXPECT_THAT(find_changed(values, ValueKind::computation, noise), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(find_changed(values, ValueKind::waiting, noise), IsEmpty())
      << "how long a process waits depends on the others";
}

TEST(FindChanged, FindsNothingInEqualRunsWithNoise) {
  const auto values =
      make_partners({10, 10.3, 9.8, 10.1, 9.9, 10.2}, {10.2, 9.9, 10.1, 9.8, 10.3, 10});
  EXPECT_THAT(find_changed(values, ValueKind::computation, noise), IsEmpty());
}

TEST(FindChanged, FindsOneFarFromAllOthersOnly) {
  const std::vector<double> a{10.0, 10.2, 9.9, 10.1, 10.0, 9.8, 10.1, 9.9};
  auto b = a;
  b[3] = 12;
  EXPECT_THAT(find_changed(make_partners(a, b), ValueKind::computation, noise), ElementsAre(3));
  // No gap is between those that differ more and those that differ less.
  const std::vector<double> changes{0.05, -0.04, 0.3, 1.6, -0.45, 0.7, 0.06, 1.1};
  for (std::size_t k = 0; k < a.size(); ++k)
    b[k] = a[k] + changes[k];
  EXPECT_THAT(find_changed(make_partners(a, b), ValueKind::computation, noise), IsEmpty());
}

TEST(FindChanged, AsksForMoreOfProcessesWithoutASpread) {
  auto values = make_partners({50, 10, 10, 10, 10}, {52, 10, 10, 10, 10});
  values.groups_a = {0, 1, 1, 1, 1};
  EXPECT_THAT(find_changed(values, ValueKind::computation, noise), IsEmpty()) << "4 % of 5";
  values.b[0] = 53;
  EXPECT_THAT(find_changed(values, ValueKind::computation, noise), ElementsAre(0));
}

}  // namespace tracefold::differences_test
