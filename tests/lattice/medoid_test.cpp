#include "lattice/medoid.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::lattice::medoid_test {

std::size_t brute_force(const Points& points, const std::vector<std::uint64_t>& weights,
                        const std::vector<std::size_t>& candidates) {
  std::size_t best = candidates[0];
  std::uint64_t least = ~std::uint64_t{0};
  for (auto c : candidates) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t d = 0; d < points[i].size(); ++d)
        sum += weights[i] * (points[c][d] > points[i][d] ? points[c][d] - points[i][d]
                                                         : points[i][d] - points[c][d]);

    if (sum < least)
      least = sum, best = c;
  }

  return best;
}

TEST(Medoid, AgreesWithBruteForce) {
  std::mt19937_64 random(3);

  for (int round = 0; round < 1000; ++round) {
    Points points(1 + random() % 20, std::vector<std::uint64_t>(1 + random() % 4));
    std::vector<std::uint64_t> weights;
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (auto& x : points[i])
        x = random() % (round % 2 ? 5 : 1000);
      weights.push_back(1 + random() % 6);
      if (i == 0 || random() % 3)
        candidates.push_back(i);
    }

    EXPECT_EQ(find_medoid(points, weights, candidates), brute_force(points, weights, candidates))
        << "round " << round;
  }
}

TEST(Medoid, GivesTiesToTheLowestIndex) {
  EXPECT_EQ(find_medoid({{0}, {1}, {1}, {2}}, {1, 1, 1, 1}, {0, 1, 2, 3}), 1u);
}

TEST(Medoid, DoesNotOverflow) {
  const std::uint64_t big = std::uint64_t{1} << 62;
  EXPECT_EQ(find_medoid({{0}, {big}, {big + 5}}, {1000, 1000, 1500}, {0, 1, 2}), 1u);
}

TEST(Medoid, LooksAtTheNearestToTheMeanBeyondTheLimit) {
  // The mean is 20.2: the medoid 0 is not the nearest to it, 1 is.
  const Points points{{0}, {1}, {0}, {0}, {100}};
  EXPECT_EQ(find_medoid(points, {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}), 0u);
  EXPECT_EQ(find_medoid(points, {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}, 1), 1u);
  EXPECT_EQ(find_medoid(points, {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}, 0), 1u);
}

}  // namespace tracefold::lattice::medoid_test
