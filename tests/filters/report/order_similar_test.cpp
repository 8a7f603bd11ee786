#include "filters/report/order_similar.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tracefold::order_similar_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Table = std::vector<std::vector<double>>;

// Things at places of a line: the nearer, the more alike.
Table make_table(const std::vector<double>& places) {
  Table table(places.size(), std::vector<double>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      table[i][j] = 1 / (1 + std::abs(places[i] - places[j]));

  return table;
}

TEST(OrderSimilar, FindsTheOrderOfALine) {
  EXPECT_THAT(order_similar(make_table({5, 1, 4, 2, 3.1, 6.2})), ElementsAre(1, 3, 4, 2, 0, 5));
}

TEST(OrderSimilar, PutsKindsBesideEachOther) {
  // Three kinds in turn.
  constexpr std::size_t n = 300;
  Table table(n, std::vector<double>(n, 0.2));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i % 3 == j % 3)
        table[i][j] = i == j ? 1 : 0.9;

  const auto order = order_similar(table);
  std::size_t changes = 0;
  for (std::size_t k = 1; k < n; ++k)
    changes += order[k] % 3 != order[k - 1] % 3;
  EXPECT_EQ(changes, 2u);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < n; ++k)
    ASSERT_EQ(sorted[k], k);
}

// The rule as it is told: the two most similar of all, again and again.
std::vector<std::vector<std::size_t>> merge_slowly(const Table& table, std::size_t left) {
  std::vector<std::vector<std::size_t>> clusters;
  for (std::size_t k = 0; k < table.size(); ++k)
    clusters.push_back({k});
  const auto compare = [&](const auto& a, const auto& b) {
    double sum = 0;
    for (auto i : a)
      for (auto j : b)
        sum += table[i][j];
    return sum / static_cast<double>(a.size() * b.size());
  };
  while (clusters.size() > left) {
    std::size_t first = 0, second = 1;
    for (std::size_t i = 0; i < clusters.size(); ++i)
      for (std::size_t j = i + 1; j < clusters.size(); ++j)
        if (compare(clusters[i], clusters[j]) > compare(clusters[first], clusters[second]))
          std::tie(first, second) = std::pair(i, j);
    clusters[first].insert(clusters[first].end(), clusters[second].begin(), clusters[second].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }

  return clusters;
}

TEST(OrderSimilar, KeepsClustersOfAverageLinkageTogether) {
  std::uint32_t state = 7;
  const auto draw = [&] {
    return static_cast<double>((state = state * 1664525 + 1013904223) >> 8);
  };
  Table table(24, std::vector<double>(24, 1));
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      table[i][j] = table[j][i] = draw() / (1 << 24);

  const auto order = order_similar(table);
  for (std::size_t left = 2; left < 20; ++left)
    for (const auto& cluster : merge_slowly(table, left)) {
      std::vector<std::size_t> places;
      for (const auto member : cluster)
        places.push_back(static_cast<std::size_t>(std::find(order.begin(), order.end(), member) -
                                                  order.begin()));
      const auto [low, high] = std::minmax_element(places.begin(), places.end());
      EXPECT_EQ(*high - *low + 1, cluster.size()) << left;
    }
}

TEST(OrderSimilar, BearsFewAndEqualRows) {
  EXPECT_THAT(order_similar({}), IsEmpty());
  EXPECT_THAT(order_similar({{1}}), ElementsAre(0));
  EXPECT_THAT(order_similar(Table(4, std::vector<double>(4, 1))), ElementsAre(0, 1, 2, 3));
}

TEST(OrderSimilar, ChoosesTheLargest) {
  EXPECT_THAT(choose_largest({1, 5, 2, 5, 5}, 2), ElementsAre(1, 3));
  EXPECT_THAT(choose_largest({1, 5}, 9), ElementsAre(0, 1));
}

}  // namespace tracefold::order_similar_test
