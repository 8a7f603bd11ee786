#include "filters/iterations/cluster_distances.hpp"

#include <gmock/gmock.h>

#include <random>
#include <tuple>

namespace tracefold::cluster_distances_test {

TEST(ClusterDistances, AreNoneOfFewerThanTwo) {
  ClusterDistances pairs;
  EXPECT_FALSE(pairs.nearest());
  pairs.push(7, {});
  EXPECT_FALSE(pairs.nearest());
  pairs.remove(0);
  EXPECT_EQ(pairs.size(), 0u);
}

TEST(ClusterDistances, OfEqualDistancesAreTheEldest) {
  ClusterDistances pairs;
  const std::vector<double> ones(3, 1.0);
  for (const std::uint32_t rank : {5u, 9u, 2u, 4u})
    pairs.push(rank, ones);
  EXPECT_EQ(pairs.nearest()->elder, 2u);
  EXPECT_EQ(pairs.nearest()->younger, 3u);
}

// The same kept as plain lists, and searched through each time.
struct Plain {
  std::vector<std::uint32_t> ranks;
  std::vector<std::vector<double>> distances;

  auto nearest() const {
    auto best = std::tuple(1e300, ~0u, ~0u);
    for (std::size_t a = 0; a < ranks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        best = std::min(best, std::tuple(distances[a][b], std::min(ranks[a], ranks[b]),
                                         std::max(ranks[a], ranks[b])));

    return best;
  }
  void set(std::size_t place, const std::vector<double>& row) {
    for (std::size_t k = 0; k < ranks.size(); ++k)
      if (k != place)
        distances[place][k] = distances[k][place] = row[k];
  }
  void push(std::uint32_t rank, const std::vector<double>& row) {
    ranks.push_back(rank);
    for (auto& other : distances)
      other.push_back(0);
    distances.emplace_back(ranks.size());
    set(ranks.size() - 1, row);
  }
  void remove(std::size_t place) {
    ranks[place] = ranks.back();
    for (std::size_t k = 0; k < ranks.size(); ++k)
      distances[place][k] = distances[k][place] = distances.back()[k];
    ranks.pop_back();
    distances.pop_back();
    for (auto& other : distances)
      other.pop_back();
  }
};

TEST(ClusterDistances, AreThoseOfASearchThroughAll) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    ClusterDistances pairs;
    Plain plain;

    for (std::uint32_t turn = 0; turn < 400; ++turn) {
      std::vector<double> row(plain.ranks.size() + 1);
      for (auto& d : row)
        d = static_cast<double>(random() % (seed % 2 ? 4 : 1000));

      const auto what = random() % (turn < 200 ? 4 : 8);

      if (plain.ranks.empty() || what < 2)
        pairs.push(turn, row), plain.push(turn, row);
      else if (const auto place = random() % plain.ranks.size(); what < 3)
        pairs.replace(place, row), plain.set(place, row);
      else
        pairs.remove(place), plain.remove(place);

      ASSERT_EQ(pairs.size(), plain.ranks.size());
      if (pairs.size() < 2)
        continue;

      const auto found = *pairs.nearest();
      ASSERT_EQ(std::tuple(found.distance, plain.ranks[found.elder], plain.ranks[found.younger]),
                plain.nearest())
          << seed << ' ' << turn;
    }
  }
}

}  // namespace tracefold::cluster_distances_test
