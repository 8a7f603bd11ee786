#include "lattice/closure.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::lattice::closure_test {

using ::testing::ElementsAre;

TEST(Closure, OfNothing) {
  EXPECT_TRUE(find_closure({}).empty());
}

TEST(Closure, PassesOnAlongChains) {
  EXPECT_THAT(find_closure(Set{to_element(0, 5), to_element(5, 9)}),
              ElementsAre(to_element(0, 5), to_element(0, 9), to_element(5, 9)));
}

TEST(Closure, OfRecursionReachesItself) {
  EXPECT_THAT(find_closure(Set{to_element(1, 1), to_element(1, 2)}),
              ElementsAre(to_element(1, 1), to_element(1, 2)));
  EXPECT_THAT(find_closure(Set{to_element(1, 2), to_element(2, 1)}),
              ElementsAre(to_element(1, 1), to_element(1, 2), to_element(2, 1), to_element(2, 2)));
}

TEST(Closure, AgreesWithWarshallOnThousandsOfRelations) {
  std::mt19937_64 random(21);

  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random() % 9, stride = round % 2 ? 1 : 400'000'000;
    std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
    for (std::size_t k = random() % (2 * n); k > 0; --k)
      reaches[random() % n][random() % n] = true;

    const auto pairs = [&] {
      Set set;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (reaches[i][j])
            set.push_back(to_element(static_cast<std::uint32_t>(i * stride),
                                     static_cast<std::uint32_t>(j * stride)));

      return set;
    };

    const auto relation = pairs();
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);

    EXPECT_EQ(find_closure(relation), pairs()) << "round " << round;
  }
}

Set random_pairs(std::mt19937_64& random, bool upwards) {
  Set pairs;

  while (pairs.size() < 10'000) {
    for (auto k = pairs.size(); k < 10'000; ++k) {
      auto from = static_cast<std::uint32_t>(random() % 1'000),
           to = static_cast<std::uint32_t>(random() % 1'000);
      if (upwards && from > to)
        std::swap(from, to);
      if (from != to)
        pairs.push_back(to_element(from, to));
    }

    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }

  return pairs;
}

TEST(Closure, OfAThousandFunctionsAndTenThousandPairs) {
  std::mt19937_64 random(22);
  EXPECT_GT(find_closure(random_pairs(random, false)).size(), 999'000u);
  const auto acyclic = find_closure(random_pairs(random, true)).size();
  EXPECT_GT(acyclic, 200'000u);
  EXPECT_LT(acyclic, 500'000u);
}

TEST(Closure, OfADeepChainTakesNoStack) {
  Set chain;
  for (std::uint32_t v = 0; v < 5'000; ++v)
    chain.push_back(to_element(v, v + 1));
  EXPECT_EQ(find_closure(chain).size(), 5'000u * 5'001u / 2);
}

}  // namespace tracefold::lattice::closure_test
