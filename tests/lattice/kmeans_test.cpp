#include "lattice/kmeans.hpp"

#include "lattice/scaled_points.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <ctime>
#include <numeric>
#include <random>

namespace tracefold::lattice::kmeans_test {

using ::testing::Each;
using ::testing::ElementsAre;
using Clusters = std::vector<std::size_t>;

std::vector<std::uint64_t> ones(std::size_t n) {
  return std::vector<std::uint64_t>(n, 1);
}

// `count` points around each of the centers in turn, in d dimensions.
Points blobs(std::mt19937_64& random, const std::vector<std::uint64_t>& centers, std::size_t count,
             std::size_t d, std::uint64_t noise) {
  Points points;
  for (std::size_t i = 0; i < count * centers.size(); ++i) {
    auto& point = points.emplace_back();
    for (std::size_t k = 0; k < d; ++k)
      point.push_back(centers[i % centers.size()] + random() % noise);
  }

  return points;
}

std::size_t count(const Clusters& clusters) {
  return *std::max_element(clusters.begin(), clusters.end()) + 1;
}

TEST(KMeans, FindsBlobsAndNumbersThemByFirstMember) {
  std::mt19937_64 random(1);
  const auto points =
      blobs(random, {9'000'000'000, 1'000'000'000, 5'000'000'000}, 200, 11, 300'000'000);
  const auto clusters = kmeans(points, ones(points.size()), 3, 42);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(clusters[i], i % 3);
  EXPECT_EQ(kmeans_auto(points, ones(points.size())), clusters);
}

TEST(KMeans, IsTheSameForTheSameSeed) {
  std::mt19937_64 random(2);
  const auto points = blobs(random, {0}, 500, 3, 1000);
  EXPECT_EQ(kmeans(points, ones(500), 5, 7), kmeans(points, ones(500), 5, 7));
  EXPECT_EQ(count(kmeans(points, ones(500), 5, 7)), 5u);
}

TEST(KMeans, OfFewerDifferentPointsThanClusters) {
  EXPECT_THAT(kmeans({{5, 5}, {1, 1}, {5, 5}, {1, 1}}, ones(4), 8, 1), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(kmeans({{3}, {3}, {3}}, ones(3), 2, 1), ElementsAre(0, 0, 0));
  EXPECT_THAT(kmeans({{0}, {0}, {0}}, ones(3), 2, 1), ElementsAre(0, 0, 0));
}

TEST(KMeans, OfNothingAndOfOneCluster) {
  EXPECT_TRUE(kmeans({}, {}, 3, 1).empty());
  EXPECT_TRUE(kmeans_auto({}, {}).empty());
  EXPECT_THAT(kmeans({{1}, {2}}, ones(2), 0, 1), ElementsAre(0, 0));
  EXPECT_THAT(kmeans({{1}, {2}}, ones(2), 1, 1), ElementsAre(0, 0));
  EXPECT_THAT(kmeans({{}, {}}, ones(2), 2, 1), ElementsAre(0, 0));
}

// Weighted points give what as many equal points do: no center can be moved by a swap.
TEST(KMeans, EndsWhereNoPointIsNearerToAnotherMean) {
  std::mt19937_64 random(3);

  for (int round = 0; round < 500; ++round) {
    const auto points =
        blobs(random, {0, 50}, 1 + random() % 15, 1 + random() % 3, 1 + random() % 80);
    std::vector<std::uint64_t> weights;
    for (std::size_t i = 0; i < points.size(); ++i)
      weights.push_back(1 + random() % 9);

    const auto clusters = kmeans(points, weights, 1 + random() % 5, random());
    std::vector<std::vector<double>> means(count(clusters), std::vector<double>(points[0].size()));
    std::vector<double> totals(means.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      totals[clusters[i]] += static_cast<double>(weights[i]);
      for (std::size_t d = 0; d < points[i].size(); ++d)
        means[clusters[i]][d] += static_cast<double>(weights[i] * points[i][d]);
    }

    const auto distance = [&](std::size_t i, std::size_t c) {
      double sum = 0;
      for (std::size_t d = 0; d < points[i].size(); ++d)
        sum += std::pow(static_cast<double>(points[i][d]) - means[c][d] / totals[c], 2);
      return sum;
    };

    EXPECT_THAT(totals, Each(::testing::Gt(0)));
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t c = 0; c < means.size(); ++c)
        EXPECT_LE(distance(i, clusters[i]), distance(i, c) + 1e-6) << "round " << round;
  }
}

TEST(KMeansAuto, LeavesNoiseTogether) {
  std::mt19937_64 random(4);
  for (std::size_t d : {std::size_t{1}, std::size_t{2}, std::size_t{10}}) {
    const auto points = blobs(random, {1'000'000}, 2000, d, 1'000'000);
    EXPECT_THAT(kmeans_auto(points, ones(points.size())), Each(0u)) << d;
  }

  EXPECT_THAT(kmeans_auto({{7, 8}, {7, 8}, {7, 8}}, ones(3)), ElementsAre(0, 0, 0));
  EXPECT_THAT(kmeans_auto({{7, 8}}, ones(1)), ElementsAre(0));
}

TEST(KMeansAuto, FindsOneProcessAmongThousands) {
  std::mt19937_64 random(5);
  auto points = blobs(random, {1'000'000}, 5000, 4, 1000);
  points[777] = {9'000'000, 0, 0, 0};
  points[778] = points[777];
  const auto clusters = kmeans_auto(points, ones(points.size()));
  EXPECT_EQ(count(clusters), 2u);
  EXPECT_EQ(std::accumulate(clusters.begin(), clusters.end(), std::size_t{0}), 2u);
  EXPECT_EQ(clusters[777], 1u);
}

TEST(KMeansAuto, CountsProcessesThatAPointStandsFor) {
  // One process beside a hundred: without its weight the hundred would be alone.
  EXPECT_THAT(kmeans_auto({{1000}, {2000}}, {100, 100}), ElementsAre(0, 1));
}

TEST(MeanSilhouette, AgreesWithItsDefinition) {
  // a, b: 0: 1, 9.5; 1: 1, 8.5; 9: 1, 8.5; 10: 1, 9.5.
  const Points points{{0}, {1}, {9}, {10}};
  const double expected = (8.5 / 9.5 + 7.5 / 8.5) / 2;
  EXPECT_NEAR(compute_mean_silhouette(ScaledPoints(points, ones(4)), {0, 0, 1, 1}, 1), expected,
              1e-12);
  EXPECT_EQ(compute_mean_silhouette(ScaledPoints(points, ones(4)), {0, 0, 0, 0}, 1), 0);
  EXPECT_NEAR(compute_mean_silhouette(ScaledPoints({{0}, {1}, {9}}, {2, 1, 1}), {0, 0, 1}, 1),
              compute_mean_silhouette(ScaledPoints({{0}, {0}, {1}, {9}}, ones(4)), {0, 0, 0, 1}, 1),
              1e-12);
}

TEST(MeanSilhouette, OfASampleIsNearThatOfAll) {
  std::mt19937_64 random(6);
  const auto all = blobs(random, {0, 3000}, 4000, 2, 2000);
  Clusters clusters;
  for (std::size_t i = 0; i < all.size(); ++i)
    clusters.push_back(i % 2);

  const Points some(all.begin(), all.begin() + 1000);
  const double of_all = compute_mean_silhouette(ScaledPoints(all, ones(all.size())), clusters, 1);
  clusters.resize(1000);
  EXPECT_NEAR(of_all, compute_mean_silhouette(ScaledPoints(some, ones(1000)), clusters, 1), 0.03);
}

namespace {

// The sum of squared distances to the means of clusters; all weigh the same.
double measure_spread(const Points& points, const Clusters& clusters) {
  double sum = 0;
  for (std::size_t c = 0; c < count(clusters); ++c)
    for (std::size_t d = 0; d < points[0].size(); ++d) {
      double mean = 0, members = 0;
      for (std::size_t i = 0; i < points.size(); ++i)
        if (clusters[i] == c) {
          mean += static_cast<double>(points[i][d]);
          ++members;
        }
      mean /= members;
      for (std::size_t i = 0; i < points.size(); ++i)
        if (clusters[i] == c)
          sum += std::pow(static_cast<double>(points[i][d]) - mean, 2);
    }
  return sum;
}

}  // namespace

// Noise has many ways to be cut that are nearly as good.
TEST(KMeans, EndsNearTheBestOfManyMoreStarts) {
  std::mt19937_64 random(11);
  for (const std::size_t k : {2, 4, 8}) {
    const auto points = blobs(random, {0, 500, 900}, 12, 10, 1000);
    const auto found = measure_spread(points, kmeans(points, ones(points.size()), k, 0));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto other = kmeans(points, ones(points.size()), k, seed * most_kmeans_starts);
      EXPECT_LE(found, 1.01 * measure_spread(points, other));
    }
  }
}

TEST(KMeans, TakesAboutAsLongForLargeGroups) {
  std::mt19937_64 random(12);
  const auto points = blobs(random, {0, 500, 900, 4000}, 500, 10, 1000);
  const auto begin = std::clock();
  kmeans(points, ones(points.size()), 8, 0);
  constexpr double most_seconds = 10;  // where sanitizers look on; else it takes a part of one
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, most_seconds);
}

}  // namespace tracefold::lattice::kmeans_test
