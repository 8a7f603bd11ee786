#include "filters/iterations/choose_medoids.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tracefold::choose_medoids_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Values = std::vector<std::vector<float>>;  // by point

Medoids choose(const Values& values, std::size_t most, std::vector<std::uint32_t> classes = {}) {
  MedoidPoints points;
  points.elements = values.empty() ? 0 : values[0].size();
  points.classes = classes.empty() ? std::vector<std::uint32_t>(values.size()) : std::move(classes);
  points.read = [&](std::size_t point, std::span<float> out) {
    std::copy(values[point].begin(), values[point].end(), out.begin());
  };
  return choose_medoids(points, most);
}

double measure_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t e = 0; e < a.size(); ++e)
    sum += std::abs(static_cast<double>(a[e]) - static_cast<double>(b[e]));
  return sum;
}

double measure_cost(const Values& values, const Medoids& medoids) {
  double cost = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    cost += measure_distance(values[i], values[medoids.points[medoids.medoid_of[i]]]);
  return cost;
}

Values make_values(std::size_t points, std::size_t elements, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Values values(points, std::vector<float>(elements));
  for (auto& point : values)
    for (auto& value : point)
      value = static_cast<float>(random() % 1000);
  return values;
}

TEST(ChooseMedoids, NothingOfNothing) {
  EXPECT_THAT(choose({}, 3).points, IsEmpty());
}

TEST(ChooseMedoids, FindsTheMedianOfOneCluster) {
  const auto medoids = choose({{1}, {50}, {3}, {4}, {5}}, 1);
  EXPECT_THAT(medoids.points, ElementsAre(3));
  EXPECT_THAT(medoids.medoid_of, ElementsAre(0, 0, 0, 0, 0));
}

TEST(ChooseMedoids, TakesThePointsThatBringMost) {
  const auto medoids = choose({{0, 0}, {100, 7}, {1, 0}, {101, 7}, {0, 0}, {300, 0}}, 3);
  EXPECT_THAT(medoids.points, ElementsAre(0, 1, 5));
  EXPECT_THAT(medoids.medoid_of, ElementsAre(0, 1, 0, 1, 0, 2));
}

TEST(ChooseMedoids, StandForThePointsThatAreNearest) {
  for (std::size_t elements = 1; elements <= 9; ++elements)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto values = make_values(40, elements, seed);
      std::vector<std::uint32_t> classes;
      for (std::size_t i = 0; i < values.size(); ++i)
        classes.push_back(static_cast<std::uint32_t>(i < 3 ? i : i * i % 3));

      const auto medoids = choose(values, 13, classes);
      for (std::size_t i = 0; i < values.size(); ++i) {
        auto least = std::numeric_limits<double>::infinity();
        for (auto medoid : medoids.points)
          if (classes[medoid] == classes[i])
            least = std::min(least, measure_distance(values[i], values[medoid]));
        ASSERT_EQ(measure_distance(values[i], values[medoids.points[medoids.medoid_of[i]]]), least)
            << elements << " elements, seed " << seed << ", point " << i;
      }
    }
}

TEST(ChooseMedoids, StopsWhereAllAreMet) {
  EXPECT_THAT(choose({{1}, {2}, {1}, {2}, {2}}, 4).points, ElementsAre(0, 1));
  EXPECT_THAT(choose(Values(9), 4).points, ElementsAre(0)) << "points of no elements";
}

TEST(ChooseMedoids, KeepsClassesApart) {
  const auto medoids = choose({{1}, {1}, {9}, {1}}, 2, {0, 1, 1, 0});
  EXPECT_THAT(medoids.points, ElementsAre(0, 1));
  EXPECT_THAT(medoids.medoid_of, ElementsAre(0, 1, 1, 0));
}

TEST(ChooseMedoids, HasOneOfEachClassHoweverManyThereAre) {
  const auto values = make_values(5000, 2, 3);
  std::vector<std::uint32_t> classes(values.size());
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    classes[i] = i % 1000;
  const auto medoids = choose(values, 10, classes);
  EXPECT_EQ(medoids.points.size(), 1000u);
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    EXPECT_EQ(classes[medoids.points[medoids.medoid_of[i]]], classes[i]);
}

// The best of all choices of three, by trying them.
TEST(ChooseMedoids, ComesNearToTheBestChoice) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto values = make_values(24, 2, seed);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < 24; ++a)
      for (std::size_t b = 0; b < a; ++b)
        for (std::size_t c = 0; c < b; ++c) {
          double cost = 0;
          for (const auto& value : values)
            cost +=
                std::min({measure_distance(value, values[a]), measure_distance(value, values[b]),
                          measure_distance(value, values[c])});
          best = std::min(best, cost);
        }
    EXPECT_LE(measure_cost(values, choose(values, 3)), 1.2 * best) << seed;
  }
}

// More points than are looked at together: nearly as good as many looked at together, where all
// blocks are alike, and each of a few groups is found.
TEST(ChooseMedoids, ThinsOutManyPoints) {
  auto values = make_values(40'000, 2, 7);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i][0] += static_cast<float>(i % 5 * 100'000);
  const auto medoids = choose(values, 5);
  ASSERT_EQ(medoids.points.size(), 5u);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(medoids.points[medoids.medoid_of[i]] % 5, i % 5);
  // A point in the middle of each square has a mean distance of 500.
  EXPECT_LT(measure_cost(values, medoids) / 40'000, 525);
}

// Rounding errors of what an outlier gained are larger than what all others gain.
TEST(ChooseMedoids, TakesNoPointTwice) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Values values(300, std::vector<float>(2));
    for (auto& point : values)
      point[0] = 4 + 1e-7F * static_cast<float>(random() % 400);
    values[random() % 300][1] = values[random() % 300][1] = 150;

    const auto medoids = choose(values, 64);
    EXPECT_EQ(std::adjacent_find(medoids.points.begin(), medoids.points.end()),
              medoids.points.end());
    for (std::uint32_t m = 0; m < medoids.points.size(); ++m)
      EXPECT_EQ(medoids.medoid_of[medoids.points[m]], m) << seed;
  }
}

TEST(ChooseMedoids, FindsARareOutlierAmongMany) {
  auto values = make_values(10'000, 1, 11);
  values[7777][0] = 5'000'000;
  const auto medoids = choose(values, 2);
  EXPECT_THAT(medoids.points, ::testing::Contains(7777u));
}

}  // namespace tracefold::choose_medoids_test
